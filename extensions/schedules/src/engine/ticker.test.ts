import { FakeClock } from "@incipit/kernel";
import { expect, test } from "bun:test";
import { getEventListeners } from "node:events";
import { Alarm } from "./ticker.ts";

class Sleeper {
  readonly alarm = new Alarm();
  readonly clock = new FakeClock();
  readonly stop = new AbortController();
  awoken = 0;

  sleep(): void {
    void this.alarm.wait(1_000, this.clock, this.stop.signal).then(() => (this.awoken += 1));
  }

  get held(): readonly number[] {
    return [this.clock.pending, getEventListeners(this.stop.signal, "abort").length];
  }
}

test("wait() ends exactly after the time, without leaks", async () => {
  const sleeper = new Sleeper();

  sleeper.sleep();
  await sleeper.clock.advance(999);
  expect([sleeper.awoken, ...sleeper.held]).toEqual([0, 1, 1]);
  await sleeper.clock.advance(1);

  expect([sleeper.awoken, ...sleeper.held]).toEqual([1, 0, 0]);
});

test("ring() ends the wait, and the next one takes its full time", async () => {
  const sleeper = new Sleeper();

  sleeper.sleep();
  sleeper.alarm.ring();
  await sleeper.clock.advance(0);
  expect([sleeper.awoken, ...sleeper.held]).toEqual([1, 0, 0]);
  sleeper.sleep();
  await sleeper.clock.advance(999);

  expect([sleeper.awoken, ...sleeper.held]).toEqual([1, 1, 1]);
});

test("ring() without a waiter ends the next wait immediately, once", async () => {
  const sleeper = new Sleeper();

  sleeper.alarm.ring();
  sleeper.alarm.ring();
  sleeper.sleep();
  await sleeper.clock.advance(0);
  expect([sleeper.awoken, ...sleeper.held]).toEqual([1, 0, 0]);
  sleeper.sleep();
  await sleeper.clock.advance(0);

  expect(sleeper.awoken).toBe(1);
});

test("wait() ends when the signal aborts, or is already aborted", async () => {
  const sleeper = new Sleeper();

  sleeper.sleep();
  sleeper.stop.abort();
  await sleeper.clock.advance(0);
  sleeper.sleep();
  await sleeper.clock.advance(0);

  expect([sleeper.awoken, ...sleeper.held]).toEqual([2, 0, 0]);
});
