import { FakeClock } from "@incipit/kernel";
import { expect, test } from "bun:test";
import { advanceUntilIdle } from "./advance-until-idle.ts";

async function turnsOfTheLoop(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise<void>((resolve) => setTimeout(resolve, 0));
}

test("advanceUntilIdle advances the clock until the host is idle", async () => {
  const clock = new FakeClock(0);

  await advanceUntilIdle(clock, { isAtRest: async () => clock.now() >= 5_000 });

  expect(clock.now()).toBeGreaterThanOrEqual(5_000);
});

test("advanceUntilIdle stops polling, keeps the clock and never resolves for a killed host", async () => {
  for (const hangs of [false, true]) {
    const clock = new FakeClock(0);
    const { promise: killed, resolve: kill } = Promise.withResolvers<void>();
    let looks = 0;
    let isOver = false;
    const isIdle = (): Promise<boolean> => {
      looks += 1;
      return hangs ? new Promise(() => {}) : Promise.resolve(false);
    };
    void advanceUntilIdle(clock, { isAtRest: isIdle, killed }).then(() => (isOver = true));
    await turnsOfTheLoop(5);
    const movedMs = clock.now();

    kill();
    await turnsOfTheLoop(5);
    const then = [looks, clock.now()];
    await turnsOfTheLoop(5);

    expect(movedMs).toBeGreaterThan(0);
    expect([looks, clock.now()]).toEqual(then);
    expect(isOver).toBe(false);
  }
});
