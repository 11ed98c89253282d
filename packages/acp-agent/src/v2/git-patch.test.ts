import { expect, test } from "bun:test";
import fc from "fast-check";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseUnifiedDiff } from "../tools/unified-diff.ts";
import { changePatch, newFilePatch } from "./git-patch.ts";

const text = fc
  .tuple(fc.array(fc.constantFrom("a", "b", "--- c", "@@ -1 +1 @@", "\\ No newline", "")), fc.boolean())
  .map(([lines, isEnded]) => lines.join("\n") + (isEnded && lines.length > 0 ? "\n" : ""));

test("changePatch contains both texts of each hunk for any content", () => {
  const property = fc.property(text, text, (oldText, newText) => {
    fc.pre(oldText !== newText && newText !== "");
    const patch = changePatch("/work/a.txt", [{ newLine: 7, oldText, newText }]);
    const [head, ...rest] = patch.split("\n");
    expect(head).toBe("diff --git a/work/a.txt b/work/a.txt");
    expect(parseUnifiedDiff(rest.join("\n"))).toEqual({
      path: "b/work/a.txt",
      hunks: [{ newLine: 7, oldText, newText }],
    });
  });
  fc.assert(property);
});

test.each([
  { name: "a change without a line feed at the end", before: "one\ntwo", after: "one\n2" },
  { name: "a file that is emptied", before: "one\n", after: "" },
  { name: "a file that was empty", before: "", after: "one\n" },
  { name: "a file that is new", before: undefined, after: "one\ntwo" },
  { name: "a file that is new and empty", before: undefined, after: "" },
])("git applies a patch of $name", async ({ before, after }) => {
  const folder = await mkdtemp(join(tmpdir(), "patch-"));
  try {
    const file = Bun.file(join(folder, 'a "file".txt'));
    const path = '/a "file".txt';
    if (before !== undefined) await Bun.write(file, before);
    const patch =
      before === undefined
        ? newFilePatch(path, after)
        : changePatch(path, [{ newLine: 1, oldText: before, newText: after }]);
    await Bun.write(join(folder, "patch"), patch);

    await Bun.$`git apply patch`
      .cwd(folder)
      .env({ ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() })
      .quiet();

    expect(await file.text()).toBe(after);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("changePatch counts old lines by the preceding hunks", () => {
  const patch = changePatch("/a", [
    { newLine: 1, oldText: "a\n", newText: "a\nb\nc\n" },
    { newLine: 9, oldText: "x\n", newText: "y\n" },
  ]);

  expect(patch.split("\n").filter((line) => line.startsWith("@@"))).toEqual(["@@ -1,1 +1,3 @@", "@@ -7,1 +9,1 @@"]);
});
