import { expect, test } from "bun:test";
import { yieldToEventLoop, Pace } from "./pace.ts";

test("Pace yields after each unit of work", () => {
  const pace = new Pace();

  const quarters = Array.from({ length: 8 }, () => pace.isTurnOfOthers(0.25));
  const much = [0.5, 2, 0.5, 0.5].map((share) => pace.isTurnOfOthers(share));

  expect(quarters).toEqual([false, false, false, true, false, false, false, true]);
  expect(much).toEqual([false, true, false, true]);
});

test("yieldToEventLoop resumes after other work and throws the abort reason", async () => {
  const controller = new AbortController();
  let turns = 0;
  setImmediate(() => (turns += 1));

  await yieldToEventLoop(controller.signal);
  setImmediate(() => controller.abort(new Error("enough")));

  expect(turns).toBe(1);
  expect(await yieldToEventLoop(controller.signal).catch((error: unknown) => error)).toEqual(new Error("enough"));
});
