import { conversationIdSchema, turnIdSchema, stepIdSchema } from "@incipit/schema";
import { FakeClock } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { OrderedIds } from "./ids.ts";

test("OrderedIds returns increasing ids within and across milliseconds", () => {
  const ids = new OrderedIds(new FakeClock());

  const made = Array.from({ length: 10_000 }, () => ids.next(turnIdSchema));

  expect(made).toEqual(made.toSorted());
  expect(new Set(made).size).toBe(10_000);
});

test("OrderedIds continues after the newest id when the clock moves back", async () => {
  const clock = new FakeClock();
  const newest = new OrderedIds(clock).next(stepIdSchema);
  const earlier = new FakeClock(clock.now() - 86_400_000);
  const ids = new OrderedIds(earlier);
  ids.follow(newest);

  const before = [ids.next(stepIdSchema), ids.next(turnIdSchema), ids.next(conversationIdSchema)];
  await earlier.advance(90_000_000);
  const after = ids.next(stepIdSchema);

  expect([newest, ...before, after]).toEqual([newest, ...before, after].toSorted());
  expect(Number.parseInt(after.replaceAll("-", "").slice(0, 12), 16)).toBe(earlier.now());
});
