/**
 * How often a test runs on what it generates, and with which seed: few times and the same ones in each check. `GENERATED_RUNS`
 * and `GENERATED_SEED` say otherwise, such as 20,000 before a change of what is read.
 *
 * @throws {Error} for a variable that is no whole number.
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
