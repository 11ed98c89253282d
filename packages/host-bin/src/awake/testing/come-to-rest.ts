import type { FakeClock } from "@incipit/testkit";

export interface RestOptions {
  readonly isAtRest: () => Promise<boolean>;
  /** Resolves when the host is killed; absent: nobody kills it. */
  readonly killed?: Promise<void> | undefined;
}

/**
 * Moves the time on until the host is at rest. One that is killed never comes to it: then the time stands still, and whoever
 * waits goes no further. Else each of them would keep its process busy to the end.
 */
export async function comeToRest(clock: FakeClock, { isAtRest, killed }: RestOptions): Promise<void> {
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
