export interface FuzzRuns {
  /** The first of the seeds, one for each run. */
  readonly firstSeed: number;
  readonly count: number;
}

/** Returns which generated cases a run takes: `FUZZ_RUNS` many from `FUZZ_SEED` on. @param usual How many without `FUZZ_RUNS`. */
export function fuzzRuns(env: Readonly<Record<string, string | undefined>>, usual: number): FuzzRuns {
  return { firstSeed: wholeNumber(env, "FUZZ_SEED") ?? 1, count: wholeNumber(env, "FUZZ_RUNS") ?? usual };
}

function wholeNumber(env: Readonly<Record<string, string | undefined>>, name: string): number | undefined {
  const text = env[name] ?? "";
  if (text === "") return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Error(`${name} is "${text}"; write a whole number, such as ${name}=20000`);
}
