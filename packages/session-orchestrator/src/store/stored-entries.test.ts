import { defineExtension } from "@incipit/kernel";
import { startExtension } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { storedEntries } from "./read-page.ts";
import * as z from "zod";

test("storedEntries yields thousands of entries once, in order, and skips damaged ones", async () => {
  const keys = Array.from({ length: 2_500 }, (_, index) => `all:${String(index).padStart(4, "0")}`);
  const damaged = new Set([0, 999, 1_000, 2_001].flatMap((index) => keys[index] ?? []));
  const found: string[] = [];
  const manifest = { id: "acme.entries", version: "1.0.0", api: "^1", capabilities: { storage: true } } as const;
  const extension = defineExtension(manifest, async (host) => {
    const storage = host.storage("entries");
    const others = ["all", "allowed:1", "b"];
    for (const key of [...keys, ...others]) await storage.set(key, damaged.has(key) ? "no number" : 1);
    for await (const { key } of storedEntries({ storage, log: host.log }, "all:", z.number())) found.push(key);
  });

  await using started = await startExtension(extension);

  expect(found).toEqual(keys.filter((key) => !damaged.has(key)));
  const told = started.logs.flatMap(({ fields }) => fields["key"] ?? []);
  expect(told).toEqual([...damaged]);
});
