import { toolsPoint } from "@incipit/service-contract";
import { startExtension } from "@incipit/testkit";
import { expect, test } from "bun:test";
import extension from "./extension.ts";

async function previewOf(
  name: string,
  input: unknown,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<string | undefined> {
  await using started = await startExtension(extension, { files });
  const tool = started.contributions(toolsPoint).find((entry) => entry.name === name);
  const before = new Map(started.files);
  const call = { conversationId: "c", cwd: "/work", signal: new AbortController().signal };
  const told = await tool?.preview?.(input, call).catch((error: Error) => error.message);
  expect(new Map(started.files)).toEqual(before);
  return told;
}

const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}\n`).join("");

test("edit_file's preview is the diff of the current file with its line endings", async () => {
  const edit = { path: "a", oldText: "line 10\nline 11", newText: "line ten" };

  const told = await previewOf("edit_file", edit, { "/work/a": lines });

  expect(told).toBe(
    "--- a\n+++ a\n@@ -7,8 +7,7 @@\n line 7\n line 8\n line 9\n-line 10\n-line 11\n+line ten\n line 12\n line 13\n line 14\n",
  );
  const crlf = await previewOf("edit_file", edit, { "/work/a": lines.replaceAll("\n", "\r\n") });
  expect(crlf).toContain("-line 10\r\n-line 11\r\n+line ten\r\n line 12\r\n");
});

test("edit_file's preview explains why an edit would fail", async () => {
  const edit = { path: "a", oldText: "nothing", newText: "" };

  expect(await previewOf("edit_file", edit, { "/work/a": lines })).toContain("does not occur in it");
  expect(await previewOf("edit_file", edit, {})).toContain("there is no such path");
  expect(await previewOf("edit_file", { path: "a" }, {})).toContain('"oldText"');
});

test("write_file's preview distinguishes new, replaced and blocking files", async () => {
  const write = { path: "a", content: "new\n", overwrite: true };
  const files = { "/work/a": "old\n" };

  expect(await previewOf("write_file", write, {})).toBe('"a" is a new file');
  expect(await previewOf("write_file", write, files)).toBe("--- a\n+++ a\n@@ -1,1 +1,1 @@\n-old\n+new\n");
  expect(await previewOf("write_file", { ...write, overwrite: false }, files)).toContain(
    "without overwrite the call fails",
  );
  expect(await previewOf("write_file", write, { "/work/a": new Uint8Array([0, 1]) })).toContain(
    "all of its 2 bytes go",
  );
  expect(await previewOf("write_file", { ...write, content: "old\n" }, files)).toBe('"a" stays as it is');
  expect(await previewOf("write_file", { ...write, path: "/etc/passwd" }, {})).toContain(
    "outside of the working folder",
  );
});

test("write_file's preview describes changes that are too large to diff", async () => {
  const from = Array.from({ length: 5_000 }, (_, index) => `${index}\n`).join("");

  const told = await previewOf(
    "write_file",
    { path: "a", content: from.replaceAll("\n", "!\n"), overwrite: true },
    { "/work/a": from },
  );

  expect(told).toBe('"a" changes in too much to show: 5001 lines, 23890 bytes become 5001 lines, 28890 bytes');
});
