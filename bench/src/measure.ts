export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/**
 * JavaScriptCore concatenates lazily and copies on first access: without one, a template literal would be timed without
 * its work.
 */
function writeOut(text: string): number {
  return text.charCodeAt(text.length >> 1);
}

let seen = 0;

function rate(work: () => string, durationMs: number): number {
  const endMs = performance.now() + durationMs;
  let count = 0;
  const startMs = performance.now();
  while (performance.now() < endMs) {
    for (let index = 0; index < 50; index += 1) seen ^= writeOut(work());
    count += 50;
  }
  return count / ((performance.now() - startMs) / 1_000);
}

/** Interleaved, so that load affects all functions. */
export function rates(
  works: Readonly<Record<string, () => string>>,
  rounds = 21,
  durationMs = 50,
): ReadonlyMap<string, readonly number[]> {
  for (const work of Object.values(works)) rate(work, durationMs * 4);
  const samples = new Map<string, number[]>(Object.keys(works).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, work] of Object.entries(works)) samples.get(name)?.push(rate(work, durationMs));
  }
  return samples;
}

/** Both sides of a round ran under the same load. */
export function ratios(over: readonly number[], under: readonly number[]): readonly number[] {
  return over.map((value, round) => value / (under[round] ?? Number.NaN));
}

/** Collects earlier garbage first. */
export function timeMs(work: () => string): number {
  Bun.gc(true);
  const startMs = performance.now();
  seen ^= writeOut(work());
  return performance.now() - startMs;
}

export interface TurnOptions {
  readonly rounds: number;
  /** Discarded rounds. */
  readonly warmUpRounds: number;
}

/** For functions that measure themselves, one sample each per round. */
export async function takeTurns(
  works: Readonly<Record<string, () => Promise<number>>>,
  { rounds, warmUpRounds }: TurnOptions,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const samples = new Map<string, number[]>(Object.keys(works).map((name) => [name, []]));
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    for (const [name, work] of Object.entries(works)) {
      const sample = await work();
      if (round >= 0) samples.get(name)?.push(sample);
    }
  }
  return samples;
}
