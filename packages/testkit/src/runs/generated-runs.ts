/**
 * `GENERATED_RUNS` and `GENERATED_SEED` override the small constant defaults, for example with 20,000 before a change
 * of a parser. @throws {Error} for a variable that is not a whole number.
 */
export function generatedRuns(
  count: number,
  env: Readonly<Record<string, string | undefined>> = process.env,
): { readonly numRuns: number; readonly seed: number } {
  return { numRuns: wholeNumber("GENERATED_RUNS", env) ?? count, seed: wholeNumber("GENERATED_SEED", env) ?? 1 };
}

function wholeNumber(name: string, env: Readonly<Record<string, string | undefined>>): number | undefined {
  const given = env[name];
  if (given === undefined || given === "") return undefined;
  if (!/^\d{1,9}$/.test(given)) throw new Error(`${name} is "${given}", which is not a whole number`);
  return Number(given);
}
