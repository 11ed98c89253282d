import type { FilePlace, FileSystem } from "@incipit/kernel";
import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { reasonToAsk } from "./write-place.ts";

const { signal } = new AbortController();

/** Files under a working folder that is a link to `folder`. */
function linkedTo(folder: string): FileSystem {
  return {
    readFile: async () => ({ kind: "absent", reason: "not-found" }),
    list: async () => ({ kind: "absent", reason: "not-found" }),
    readFolder: async () => ({ kind: "absent", reason: "not-found" }),
    locate: async (path): Promise<FilePlace> => ({ kind: "located", path: resolve(folder, path) }),
    writeFile: async () => ({ kind: "refused", reason: "denied" }),
    removeFile: async () => ({ kind: "refused", reason: "denied" }),
  };
}

test("reasonToAsk judges by where the working folder's link leads", async () => {
  const fs = linkedTo("/home/me/.claude/worktrees/a");
  const call = { cwd: "/home/me/link", signal };

  expect(await reasonToAsk(fs, "src/b.ts", call)).toBe(undefined);
  expect(await reasonToAsk(fs, "../settings.json", call)).toStartWith(
    'It writes "/home/me/.claude/worktrees/settings.json": ',
  );
});
