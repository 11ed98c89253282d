import { expect, test } from "bun:test";
import { getEventListeners } from "node:events";
import { FakeClock } from "./fake-clock.ts";
import { waitUnlessAborted } from "./wait-unless-aborted.ts";

interface Wait {
  readonly clock: FakeClock;
  readonly stop: AbortController;
  readonly isOver: () => boolean;
  readonly held: () => readonly number[];
}

function begin(stop = new AbortController()): Wait {
  const clock = new FakeClock();
  let isOver = false;
  void waitUnlessAborted(1_000, clock, stop.signal).then(() => (isOver = true));
  const held = (): readonly number[] => [clock.pending, getEventListeners(stop.signal, "abort").length];
  return { clock, stop, isOver: () => isOver, held };
}

test("waitUnlessAborted resolves after the delay and cleans up", async () => {
  const { clock, isOver, held } = begin();

  await clock.advance(999);
  expect([isOver(), ...held()]).toEqual([false, 1, 1]);
  await clock.advance(1);

  expect([isOver(), ...held()]).toEqual([true, 0, 0]);
});

test("waitUnlessAborted resolves on abort and cleans up", async () => {
  const { clock, stop, isOver, held } = begin();

  stop.abort();
  await clock.advance(0);

  expect([isOver(), ...held()]).toEqual([true, 0, 0]);
});

test("waitUnlessAborted resolves immediately for an aborted signal", async () => {
  const stop = new AbortController();
  stop.abort();

  const { clock, isOver, held } = begin(stop);
  await clock.advance(0);

  expect([isOver(), ...held()]).toEqual([true, 0, 0]);
});
