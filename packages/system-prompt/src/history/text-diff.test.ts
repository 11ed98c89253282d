import { expect, test } from "bun:test";
import { applyPatch } from "diff";
import fc from "fast-check";
import { diffTexts } from "./text-diff.ts";

const from = (text: string): { readonly name: string; readonly text: string } => ({ name: "version 1", text });
const to = (text: string): { readonly name: string; readonly text: string } => ({ name: "version 2", text });

test("diffTexts returns hunks with three lines of context, and a unified diff", async () => {
  const { hunks, unified, isMinimal } = await diffTexts(from("a\nb\nc\nd\ne\nf"), to("a\nb\nc\nd\nE\nf"));

  const lines = [" b", " c", " d", "-e", "+E", " f", "\\ No newline at end of file"];
  expect(hunks).toEqual([{ oldStart: 2, oldLines: 5, newStart: 2, newLines: 5, lines }]);
  expect(unified).toBe(`--- version 1\n+++ version 2\n@@ -2,5 +2,5 @@\n${lines.join("\n")}\n`);
  expect(isMinimal).toBe(true);
});

test("diffTexts of equal texts has no hunk", async () => {
  expect(await diffTexts(from("a"), to("a"))).toEqual({ hunks: [], unified: "", isMinimal: true });
});

test("diffTexts transforms any text into any other", async () => {
  const text = fc.array(fc.constantFrom("a", "b", "\n", "\r\n", "\r", "\\", "-", "+ "), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(text, text, async (left, right) => {
      const [old, next] = [left.join(""), right.join("")];
      const { unified } = await diffTexts(from(old), to(next));
      expect(unified === "" ? old : applyPatch(old, unified, { autoConvertLineEndings: false })).toBe(next);
    }),
  );
});

test("diffTexts limits its time for texts with nothing in common, and reports that", async () => {
  const many = (sign: string): string => Array.from({ length: 30_000 }, (_, at) => `${sign}${at}\n`).join("");
  const [old, next] = [`same\n${many("a")}end`, `same\n${many("b")}end`];

  const { hunks, unified, isMinimal } = await diffTexts(from(old), to(next));

  expect(isMinimal).toBe(false);
  expect(hunks).toHaveLength(1);
  expect(hunks[0]).toMatchObject({ oldStart: 1, oldLines: 30_002, newLines: 30_002 });
  expect(applyPatch(old, unified)).toBe(next);
});

test("diffTexts handles 1 MiB of line ends", async () => {
  const old = "\n".repeat(1_048_576);
  const { hunks, isMinimal } = await diffTexts(from(old), to(`${old.slice(0, -2)}x\n`));

  expect(isMinimal).toBe(false);
  expect(hunks.flatMap(({ lines }) => lines.filter((line) => line.startsWith("+")))).toEqual(["+x"]);
});
