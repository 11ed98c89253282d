import type { FileSystem, FolderEntry } from "@incipit/kernel";
import { toolsPoint } from "@incipit/service-contract";
import { FakeClock, startExtension } from "@incipit/testkit";
import { expect, test } from "bun:test";
import extension from "./extension.ts";

test("search returns its matches at the deadline and names the last file", async () => {
  const clock = new FakeClock();
  const refused = async () => ({ kind: "refused", reason: "denied" }) as const;
  const files: FileSystem = {
    list: async (path) => ({
      kind: "listed",
      entries: ["a", "b", "c"].map((name) => ({ name, kind: "file", sizeBytes: 6, modifiedAtMs: 0 })),
      leftOut: 0,
      path,
    }),
    readFile: (path, { signal }) =>
      path === "./a"
        ? Promise.resolve({ kind: "read", bytes: new TextEncoder().encode("needle"), path })
        : new Promise((resolve) => {
            signal?.addEventListener("abort", () => resolve({ kind: "absent", reason: "failed" }));
            void clock.advance(30_000);
          }),
    readFolder: async () => ({ kind: "absent", reason: "not-found" }),
    locate: refused,
    writeFile: refused,
    removeFile: refused,
  };
  await using started = await startExtension(extension, { clock, drivers: { fs: () => files } });
  const tool = started.contributions(toolsPoint).find(({ name }) => name === "search");

  const call = { conversationId: "c", cwd: "/work", signal: new AbortController().signal };
  const result = await tool?.execute({ pattern: "needle" }, call);

  expect(result).toBe(
    "a:1: needle\n[cut: stopped after 30 s, behind a; what follows was not searched: search a folder at a time]",
  );
});

test("find_files returns its matches at the deadline, newest first, with a note", async () => {
  const clock = new FakeClock();
  const refused = async () => ({ kind: "refused", reason: "denied" }) as const;
  const file = (name: string, modifiedAtMs: number): FolderEntry => ({
    name,
    kind: "file",
    sizeBytes: 0,
    modifiedAtMs,
  });
  const folder: FolderEntry = { name: "z", kind: "folder", sizeBytes: 0, modifiedAtMs: 3 };
  const files: FileSystem = {
    list: (path, { signal }) =>
      path === "./z/"
        ? new Promise((resolve) => {
            signal?.addEventListener("abort", () => resolve({ kind: "absent", reason: "failed" }));
            void clock.advance(30_000);
          })
        : Promise.resolve({ kind: "listed", entries: [file("a", 1), file("b", 2), folder], leftOut: 0, path }),
    readFile: async () => ({ kind: "absent", reason: "not-found" }),
    readFolder: async () => ({ kind: "absent", reason: "not-found" }),
    locate: refused,
    writeFile: refused,
    removeFile: refused,
  };
  await using started = await startExtension(extension, { clock, drivers: { fs: () => files } });
  const tool = started.contributions(toolsPoint).find(({ name }) => name === "find_files");

  const call = { conversationId: "c", cwd: "/work", signal: new AbortController().signal };
  const result = await tool?.execute({ pattern: "*" }, call);

  expect(result).toBe(
    "b\na\n[cut: stopped after 30 s, before all files were looked at; go on with a folder at a time]",
  );
});
