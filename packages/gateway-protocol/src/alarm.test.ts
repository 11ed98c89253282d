import { FakeClock } from "@incipit/kernel";
import { expect, test } from "bun:test";
import { getEventListeners } from "node:events";
import { Alarm } from "./alarm.ts";

class Sleeper {
  readonly alarm = new Alarm();
  readonly clock = new FakeClock();
  readonly stop = new AbortController();
  awoken = 0;

  sleep(): void {
    void this.alarm.wait(1_000, this.clock, this.stop.signal).then(() => (this.awoken += 1));
  }

  /** Timers, and listeners on the signal that outlives each wait. */
  get held(): readonly number[] {
    return [this.clock.pending, getEventListeners(this.stop.signal, "abort").length];
  }
}

test("wait() ends after the time, not before, and leaves nothing behind", async () => {
  const sleeper = new Sleeper();

  sleeper.sleep();
  await sleeper.clock.advance(999);
  expect([sleeper.awoken, ...sleeper.held]).toEqual([0, 1, 1]);
  await sleeper.clock.advance(1);

  expect([sleeper.awoken, ...sleeper.held]).toEqual([1, 0, 0]);
});

test("ring() ends the wait, and the next one lasts its time again", async () => {
  const sleeper = new Sleeper();

  sleeper.sleep();
  sleeper.alarm.ring();
  await sleeper.clock.advance(0);
  expect([sleeper.awoken, ...sleeper.held]).toEqual([1, 0, 0]);
  sleeper.sleep();
  await sleeper.clock.advance(999);

  expect([sleeper.awoken, ...sleeper.held]).toEqual([1, 1, 1]);
});

test("ring() while nobody waits ends the next wait at once, and that one alone", async () => {
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

test("wait() ends once the signal aborts, also where it has before", async () => {
  const sleeper = new Sleeper();

  sleeper.sleep();
  sleeper.stop.abort();
  await sleeper.clock.advance(0);
  sleeper.sleep();
  await sleeper.clock.advance(0);

  expect([sleeper.awoken, ...sleeper.held]).toEqual([2, 0, 0]);
});
