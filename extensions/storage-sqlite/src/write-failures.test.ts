import { FakeClock } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { WriteFailures } from "./write-failures.ts";

test("WriteFailures returns the newest failure for ten minutes", async () => {
  const clock = new FakeClock();
  const failures = new WriteFailures(clock);
  const before = failures.newest;
  failures.note(new Error("the disk is full"));
  await clock.advance(1_000);
  failures.note(new Error("the disk is gone"));
  const at = new Date(clock.now()).toISOString();
  await clock.advance(600_000);
  const during = failures.newest;
  await clock.advance(1);

  expect(before).toBeUndefined();
  expect(during).toEqual({ reason: "the disk is gone", at });
  expect(failures.newest).toBeUndefined();
});
