import type { FileSystem } from "@incipit/kernel";
import { toolsPoint } from "@incipit/service-contract";
import { FakeClock, startExtension } from "@incipit/testkit";
import { expect, test } from "bun:test";
import extension from "./extension.ts";

test("search that takes too long gives what it has found, and says behind which file it stopped", async () => {
  const clock = new FakeClock();
  const refused = async () => ({ kind: "refused", reason: "denied" }) as const;
  const files: FileSystem = {
    list: async (path) => ({
      kind: "listed",
      entries: ["a", "b", "c"].map((name) => ({ name, kind: "file", sizeBytes: 6 })),
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
