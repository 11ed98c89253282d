import type { FakeClock } from "@incipit/kernel";

export interface RestOptions {
  readonly isAtRest: () => Promise<boolean>;
  readonly killed?: Promise<void> | undefined;
}

/** Once the host is killed, the clock stops and the promise never resolves: waiting on would keep the process busy. */
export async function advanceUntilIdle(clock: FakeClock, { isAtRest, killed }: RestOptions): Promise<void> {
  let isKilled = false;
  const looking = (async () => {
    while (!isKilled && !(await isAtRest())) await new Promise<void>((resolve) => setImmediate(resolve));
  })();
  const ending = killed?.then(() => {
    isKilled = true;
  });
  await clock.advanceUntil(ending === undefined ? looking : Promise.race([looking, ending]));
  if (isKilled) await new Promise<never>(() => {});
}
