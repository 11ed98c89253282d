import type { FolderEntry } from "@incipit/kernel";
import { toolsPoint } from "@incipit/service-contract";
import { FakeClock, startExtension } from "@incipit/testkit";
import { expect, test } from "bun:test";
import extension from "./extension.ts";
import { fileSystemWith } from "./testing/file-system-with.ts";

const entry = (name: string, modifiedAtMs: number, kind: FolderEntry["kind"] = "file"): FolderEntry => ({
  name,
  kind,
  sizeBytes: 6,
  modifiedAtMs,
});

/** In a folder of which the entry `slow` is never read. */
async function resultOf(name: string, entries: readonly FolderEntry[], slow: string): Promise<unknown> {
  const clock = new FakeClock();
  const untilAborted = (signal: AbortSignal | undefined) =>
    new Promise<{ readonly kind: "absent"; readonly reason: "failed" }>((resolve) => {
      signal?.addEventListener("abort", () => resolve({ kind: "absent", reason: "failed" }));
      void clock.advance(30_000);
    });
  const files = fileSystemWith({
    list: async (path, { signal }) =>
      path === slow ? untilAborted(signal) : { kind: "listed", entries, leftOut: 0, path },
    readFile: async (path, { signal }) =>
      path === slow ? untilAborted(signal) : { kind: "read", bytes: new TextEncoder().encode("needle"), path },
  });
  await using started = await startExtension(extension, { clock, drivers: { fs: () => files } });
  const tool = started.contributions(toolsPoint).find((one) => one.name === name);
  const call = { conversationId: "c", cwd: "/work", signal: new AbortController().signal };
  return await tool?.execute({ pattern: name === "search" ? "needle" : "*" }, call);
}

test("search returns its matches at the deadline and names the last file", async () => {
  const entries = ["a", "b", "c"].map((name) => entry(name, 0));

  expect(await resultOf("search", entries, "./b")).toBe(
    "a:1: needle\n[cut: stopped after 30 s, behind a; what follows was not searched: search a folder at a time]",
  );
});

test("find_files returns its matches at the deadline, newest first, with a note", async () => {
  const entries = [entry("a", 1), entry("b", 2), entry("z", 3, "folder")];

  expect(await resultOf("find_files", entries, "./z/")).toBe(
    "b\na\n[cut: stopped after 30 s, before all files were looked at; go on with a folder at a time]",
  );
});
