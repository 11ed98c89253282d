import { FakeClock } from "@incipit/kernel";
import { expect, test } from "bun:test";
import { CallProgress } from "./call-progress.ts";

function start(timeoutMs = 10_000): {
  readonly clock: FakeClock;
  readonly progress: CallProgress;
  readonly shown: unknown[];
} {
  const clock = new FakeClock();
  const shown: unknown[] = [];
  return { clock, shown, progress: new CallProgress({ clock, timeoutMs, show: (told) => void shown.push(told) }) };
}

test("tell() shows the first progress immediately, then the newest per second until the end", async () => {
  const { clock, progress, shown } = start();

  for (const value of [1, 2, 3]) progress.tell({ progress: value });
  expect(shown).toEqual([{ progress: 1 }]);
  await clock.advance(1_000);
  expect(shown).toEqual([{ progress: 1 }, { progress: 3 }]);
  await clock.advance(5_000);
  progress.tell({ progress: 4, total: 10, message: "Four\nof\u001B[2J ten" });
  expect(shown.at(-1)).toEqual({ progress: 4, total: 10, message: "Four of [2J ten" });
  progress.tell({ progress: 5 });
  progress.end();
  progress.tell({ progress: 6 });
  await clock.advance(60_000);

  expect(shown).toHaveLength(3);
  expect(clock.pending).toBe(0);
});

test("tell() ignores invalid progress and truncates a long message", () => {
  const { progress, shown } = start();

  for (const given of [
    undefined,
    null,
    1,
    {},
    { progress: "1" },
    { progress: Number.NaN },
    { progress: 1, message: 2 },
  ])
    progress.tell(given);
  expect([shown, progress.leftMs]).toEqual([[], 10_000]);
  progress.tell({ progress: 1, message: "x".repeat(1_000_000) });

  expect(shown).toEqual([{ progress: 1, message: `${"x".repeat(500)}…` }]);
});

test("leftMs restarts with each progress, up to one hour in total", async () => {
  const { clock, progress } = start();

  await clock.advance(8_000);
  expect(progress.leftMs).toBe(2_000);
  progress.tell({ progress: 1 });
  expect(progress.leftMs).toBe(10_000);
  for (let told = 0; told < 1_000; told += 1) {
    await clock.advance(4_000);
    progress.tell({ progress: told });
  }
  expect(progress.leftMs).toBe(0);
  expect(start(7_200_000).progress.leftMs).toBe(7_200_000);
});

test("[attack:bounds-tool-progress] tell() shows a few hundred events for an hour of continuous progress", async () => {
  const { clock, progress, shown } = start();

  for (let told = 0; told < 36_000; told += 1) {
    progress.tell({ progress: told });
    await clock.advance(100);
  }

  expect(shown.length).toBeGreaterThan(100);
  expect(shown.length).toBeLessThan(400);
});
