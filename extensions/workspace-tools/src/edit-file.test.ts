import type { FileRefusedReason, FileSystem } from "@incipit/kernel";
import { expect, test } from "bun:test";
import { editFileTool } from "./edit-file.ts";
import { fileSystemWith } from "./testing/file-system-with.ts";

function refusing(reason: FileRefusedReason): { readonly fs: FileSystem; readonly writes: () => number } {
  let writes = 0;
  const fs = fileSystemWith({
    readFile: async (path) => ({ kind: "read", path, bytes: new TextEncoder().encode("old") }),
    locate: async (path) => ({ kind: "located", path }),
    writeFile: async () => {
      writes += 1;
      return { kind: "refused", reason };
    },
  });
  return { fs, writes: () => writes };
}

test.each([
  { reason: "denied", writes: 1 },
  { reason: "changed", writes: 10 },
] as const)("edit_file retries ten times on concurrent changes and not on refusals: %o", async (expected) => {
  const { fs, writes } = refusing(expected.reason);
  const call = { conversationId: "c", cwd: "/work", signal: new AbortController().signal };

  const edited = Promise.resolve(editFileTool(fs).execute({ path: "a", oldText: "old", newText: "new" }, call));

  expect(await edited.catch((error: unknown) => error)).toMatchObject({
    message: expect.stringContaining('Cannot edit "a"'),
  });
  expect(writes()).toBe(expected.writes);
});
