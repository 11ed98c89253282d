import { FakeClock } from "@incipit/kernel";
import { expect, test } from "bun:test";
import { maxStarts, startWindowMs, steadyMs } from "./limits.ts";
import { StartLimit } from "./start-limit.ts";

test("[attack:bounds-mcp-restarts] StartLimit allows three starts within the window for a server that does not stay up", async () => {
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

test("StartLimit ignores a start after which the server ran for a minute", async () => {
  const clock = new FakeClock();
  const limit = new StartLimit(clock);
  for (let start = 0; start < maxStarts + 2; start += 1) {
    expect(limit.take()).toBe(0);
    await clock.advance(steadyMs);
    limit.end();
  }
});

test("StartLimit ignores future starts after the clock was set back", () => {
  let now = 10_000_000;
  const limit = new StartLimit({ now: () => now });
  for (let start = 0; start < maxStarts; start += 1) limit.take();
  expect(limit.take()).toBe(startWindowMs);

  now -= 1;

  expect(limit.take()).toBe(0);
});

test("StartLimit measures the last run, not the one before", async () => {
  const clock = new FakeClock();
  const limit = new StartLimit(clock);
  limit.take();
  await clock.advance(steadyMs / 2);
  limit.take();
  await clock.advance(steadyMs - 1);

  limit.end();

  expect([limit.take(), limit.take() > 0]).toEqual([0, true]);
});
