export interface FuzzRuns {
  /** Each run uses the next one. */
  readonly firstSeed: number;
  readonly count: number;
}

/** `FUZZ_RUNS` from `FUZZ_SEED` on. @param usual Default of `FUZZ_RUNS`. */
export function fuzzRuns(env: Readonly<Record<string, string | undefined>>, usual: number): FuzzRuns {
  return { firstSeed: wholeNumber(env, "FUZZ_SEED") ?? 1, count: wholeNumber(env, "FUZZ_RUNS") ?? usual };
}

function wholeNumber(env: Readonly<Record<string, string | undefined>>, name: string): number | undefined {
  const text = env[name] ?? "";
  if (text === "") return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Error(`${name} is "${text}"; write a whole number, such as ${name}=20000`);
}
