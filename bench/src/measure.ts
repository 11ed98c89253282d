/** Sorted copies are taken: the samples stay as they were. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/**
 * Makes the engine write the text out. JavaScriptCore joins strings by noting what to join, and copies on the first
 * look: without one, a template literal is timed for work that it has put off.
 */
function writeOut(text: string): number {
  return text.charCodeAt(text.length >> 1);
}

let seen = 0;

/** How often a function ran in a second; its text is written out each time. */
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

/** Several functions in turn, so that a slow moment of the machine meets them all: the rates of each, one a round. */
export function rates(
  works: Readonly<Record<string, () => string>>,
  rounds = 21,
  durationMs = 50,
): ReadonlyMap<string, readonly number[]> {
  for (const work of Object.values(works)) rate(work, durationMs * 4); // Warm-up.
  const samples = new Map<string, number[]>(Object.keys(works).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, work] of Object.entries(works)) samples.get(name)?.push(rate(work, durationMs));
  }
  return samples;
}

/** Round by round, so that both sides of each ratio met the same machine. */
export function ratios(over: readonly number[], under: readonly number[]): readonly number[] {
  return over.map((value, round) => value / (under[round] ?? Number.NaN));
}

/** Written out too. The garbage of what ran before is taken away first: it is not the function's own. */
export function timeMs(work: () => string): number {
  Bun.gc(true);
  const startMs = performance.now();
  seen ^= writeOut(work());
  return performance.now() - startMs;
}

export interface TurnOptions {
  readonly rounds: number;
  /** Rounds before them, of which nothing is kept. */
  readonly warmUpRounds: number;
}

/** As `rates`, for what measures itself: each gives one sample when it has its turn. */
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
