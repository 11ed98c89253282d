/** Sorted copies are taken: the samples stay as they were. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Runs a second of a function, after a warm-up; how often it ran in a second. */
function rate(work: () => unknown, durationMs: number): number {
  const endMs = performance.now() + durationMs;
  let count = 0;
  const startMs = performance.now();
  while (performance.now() < endMs) {
    for (let index = 0; index < 50; index += 1) work();
    count += 50;
  }
  return count / ((performance.now() - startMs) / 1_000);
}

/** Several functions in turn, so that a slow moment of the machine meets them all; the median rate of each. */
export function rates(
  works: Readonly<Record<string, () => unknown>>,
  rounds = 7,
  durationMs = 120,
): ReadonlyMap<string, number> {
  for (const work of Object.values(works)) rate(work, durationMs);
  const samples = new Map<string, number[]>(Object.keys(works).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, work] of Object.entries(works)) samples.get(name)?.push(rate(work, durationMs));
  }
  return new Map([...samples].map(([name, values]) => [name, percentile(values, 0.5)]));
}

export function timeMs(work: () => unknown): number {
  const startMs = performance.now();
  work();
  return performance.now() - startMs;
}
