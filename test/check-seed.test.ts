import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { $ } from "bun";
import { commitSeed, nextSeed } from "./check-seed.ts";

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

test("commitSeed gives each commit the number after that of the commit before, and none outside of a clone", async () => {
  await using folder = await createTempFolder();
  const git = $.cwd(folder.path).env({
    ...process.env,
    GIT_CONFIG_GLOBAL: "/dev/null",
  });
  expect(await commitSeed(folder.path)).toBeUndefined();
  await git`git init --quiet`;
  const commit = () => git`git -c user.name=a -c user.email=a@b.c commit --quiet --allow-empty --message=${"a: b"}`;

  await commit();
  expect(await commitSeed(folder.path)).toBe("1");
  await commit();
  expect(await commitSeed(folder.path)).toBe("2");
});
