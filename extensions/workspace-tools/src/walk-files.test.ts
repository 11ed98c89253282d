import type { FolderEntry } from "@incipit/kernel";
import { expect, test } from "bun:test";
import { walkFiles } from "./walk-files.ts";
import { fileSystemWith } from "./testing/file-system-with.ts";

test("walkFiles ends when aborted, even if only folders are left", async () => {
  const controller = new AbortController();
  const entries: readonly FolderEntry[] = ["a", "b"].map((name) => ({
    name,
    kind: "folder",
    sizeBytes: 0,
    modifiedAtMs: 0,
  }));
  const fs = fileSystemWith({
    list: async (path) => {
      if (path === "./") return { kind: "listed", entries, leftOut: 0, path };
      controller.abort(new Error("enough"));
      return { kind: "absent", reason: "failed", detail: "stopped" };
    },
  });

  const walked = Array.fromAsync(
    walkFiles(fs, ".", {
      call: { cwd: "/work", signal: controller.signal },
      withIgnored: false,
      mayHold: () => true,
      onUnreadable: () => {},
    }),
  );

  expect(await walked.catch((error: unknown) => error)).toEqual(new Error("enough"));
});
