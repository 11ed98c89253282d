import { expect, test } from "bun:test";
import { getEventListeners } from "node:events";
import { FakeClock } from "./fake-clock.ts";
import { waitUnlessAborted } from "./wait-unless-aborted.ts";

interface Wait {
  readonly clock: FakeClock;
  readonly stop: AbortController;
  readonly isOver: () => boolean;
  /** What it holds: its timers, and its listeners. */
  readonly held: () => readonly number[];
}

function begin(stop = new AbortController()): Wait {
  const clock = new FakeClock();
  let isOver = false;
  void waitUnlessAborted(1_000, clock, stop.signal).then(() => (isOver = true));
  const held = (): readonly number[] => [clock.pending, getEventListeners(stop.signal, "abort").length];
  return { clock, stop, isOver: () => isOver, held };
}

test("waitUnlessAborted resolves after the time, not before, and leaves nothing behind", async () => {
  const { clock, isOver, held } = begin();

  await clock.advance(999);
  expect([isOver(), ...held()]).toEqual([false, 1, 1]);
  await clock.advance(1);

  expect([isOver(), ...held()]).toEqual([true, 0, 0]);
});

test("waitUnlessAborted resolves at the abort, and leaves nothing behind", async () => {
  const { clock, stop, isOver, held } = begin();

  stop.abort();
  await clock.advance(0);

  expect([isOver(), ...held()]).toEqual([true, 0, 0]);
});

test("waitUnlessAborted resolves at once where the signal has aborted before", async () => {
  const stop = new AbortController();
  stop.abort();

  const { clock, isOver, held } = begin(stop);
  await clock.advance(0);

  expect([isOver(), ...held()]).toEqual([true, 0, 0]);
});
