import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { nextSeed } from "./check-seed.ts";

test("nextSeed gives each run the number behind that of the run before", async () => {
  await using folder = await createTempFolder();

  const first = await nextSeed(folder.path, undefined);

  expect(first).toBeGreaterThan(0);
  expect(await nextSeed(folder.path, "")).toBe(first + 1);
  expect(await nextSeed(folder.path, undefined)).toBe(first + 2);
});

test("nextSeed gives the one that was asked for, which does not count as a run, and refuses what is no number", async () => {
  await using folder = await createTempFolder();
  const first = await nextSeed(folder.path, undefined);

  expect(await nextSeed(folder.path, "12")).toBe(12);
  expect(await nextSeed(folder.path, undefined)).toBe(first + 1);
  expect(nextSeed(folder.path, "x")).rejects.toThrow('CHECK_SEED is "x"');
});
