import { FakeClock } from "@incipit/kernel";
import { expect, test } from "bun:test";
import { maxStarts, startWindowMs, steadyMs } from "./limits.ts";
import { StartLimit } from "./start-limit.ts";

test("[attack:bounds-mcp-restarts] StartLimit lets a server that does not stay be started three times within the window", async () => {
  const clock = new FakeClock();
  const limit = new StartLimit(clock);
  expect({ maxStarts, startWindowMs }).toEqual({ maxStarts: 3, startWindowMs: 300_000 });
  for (let start = 0; start < maxStarts; start += 1) {
    expect(limit.take()).toBe(0);
    await clock.advance(1_000);
    limit.end();
  }

  expect(limit.take()).toBe(startWindowMs - maxStarts * 1_000);
  await clock.advance(startWindowMs - maxStarts * 1_000 - 1);
  expect(limit.take()).toBe(1);
  await clock.advance(1);
  expect(limit.take()).toBe(0);
});

test("StartLimit does not count a start after which the server stayed for a minute", async () => {
  const clock = new FakeClock();
  const limit = new StartLimit(clock);
  for (let start = 0; start < maxStarts + 2; start += 1) {
    expect(limit.take()).toBe(0);
    await clock.advance(steadyMs);
    limit.end();
  }
});

test("StartLimit does not count starts of a time that is still to come: the clock was set back", () => {
  let now = 10_000_000;
  const limit = new StartLimit({ now: () => now });
  for (let start = 0; start < maxStarts; start += 1) limit.take();
  expect(limit.take()).toBe(startWindowMs);

  now -= 1;

  expect(limit.take()).toBe(0);
});

test("StartLimit looks at how long the last one stayed, and not the one before it", async () => {
  const clock = new FakeClock();
  const limit = new StartLimit(clock);
  limit.take();
  await clock.advance(steadyMs / 2);
  limit.take();
  await clock.advance(steadyMs - 1);

  limit.end();

  expect([limit.take(), limit.take() > 0]).toEqual([0, true]);
});
