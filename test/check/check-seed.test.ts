import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { nextSeed } from "./check-seed.ts";

test("nextSeed returns the successor of the previous run's number", async () => {
  await using folder = await createTempFolder();

  const first = await nextSeed(folder.path, undefined);

  expect(first).toBeGreaterThan(0);
  expect(await nextSeed(folder.path, "")).toBe(first + 1);
  expect(await nextSeed(folder.path, undefined)).toBe(first + 2);
});

test("nextSeed returns a requested seed without counting it, and rejects non-numbers", async () => {
  await using folder = await createTempFolder();
  const first = await nextSeed(folder.path, undefined);

  expect(await nextSeed(folder.path, "12")).toBe(12);
  expect(await nextSeed(folder.path, undefined)).toBe(first + 1);
  expect(nextSeed(folder.path, "x")).rejects.toThrow('CHECK_SEED is "x"');
});
