import type { FileSystem, FolderEntry } from "@incipit/kernel";
import { expect, test } from "bun:test";
import { walkFiles } from "./walk-files.ts";

test("walkFiles ends when aborted, even if only folders are left", async () => {
  const controller = new AbortController();
  const entries: readonly FolderEntry[] = ["a", "b"].map((name) => ({
    name,
    kind: "folder",
    sizeBytes: 0,
    modifiedAtMs: 0,
  }));
  const fs: FileSystem = {
    readFile: async () => ({ kind: "absent", reason: "not-found" }),
    list: async (path) => {
      if (path === "./") return { kind: "listed", entries, leftOut: 0, path };
      controller.abort(new Error("enough"));
      return { kind: "absent", reason: "failed", detail: "stopped" };
    },
    readFolder: async () => ({ kind: "absent", reason: "not-found" }),
    locate: async () => ({ kind: "refused", reason: "denied" }),
    writeFile: async () => ({ kind: "refused", reason: "denied" }),
    removeFile: async () => ({ kind: "refused", reason: "denied" }),
  };

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
