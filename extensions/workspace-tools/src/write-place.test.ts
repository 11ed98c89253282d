import type { FileSystem } from "@incipit/kernel";
import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { pathGrants } from "./path-grants.ts";
import { reasonToAsk, writePlace } from "./write-place.ts";
import { fileSystemWith } from "./testing/file-system-with.ts";

const { signal } = new AbortController();

function linkedTo(folder: string): FileSystem {
  return fileSystemWith({ locate: async (path) => ({ kind: "located", path: resolve(folder, path) }) });
}

test("reasonToAsk resolves the working folder's link", async () => {
  const fs = linkedTo("/home/me/.claude/worktrees/a");
  const call = { cwd: "/home/me/link", signal };

  expect(await reasonToAsk(fs, "src/b.ts", call)).toBe(undefined);
  expect(await reasonToAsk(fs, "../settings.json", call)).toStartWith(
    'It writes "/home/me/.claude/worktrees/settings.json": ',
  );
});

test("writePlace resolves links at write time and checks the patterns of a call", async () => {
  const fs = linkedTo("/work");
  const call = { cwd: "/work", signal };
  const patterns = ["docs/**", "*.md"];

  for (const path of ["docs/a/b.txt", "notes.md"]) {
    expect(await pathGrants(fs).by({ path }, { ...call, patterns })).toHaveLength(1);
    expect(await writePlace(fs, path, { ...call, allowedPatterns: patterns })).toBe(`/work/${path}`);
  }
  for (const leads of ["src/a.ts", "docs/.hidden", "../other/docs/a.txt", "README"]) {
    const turned: FileSystem = {
      ...fs,
      locate: async (path) => ({ kind: "located", path: resolve("/work", path === "." ? path : leads) }),
    };
    expect(writePlace(turned, "docs/a.txt", { ...call, allowedPatterns: patterns })).rejects.toThrow(
      `it leads to "${resolve("/work", leads)}" by now, and only "docs/**", "*.md" is allowed`,
    );
    // When the whole tool is allowed, every place is.
    expect(await writePlace(turned, "docs/a.txt", call)).toBe(resolve("/work", leads));
  }
});
