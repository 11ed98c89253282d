import { join } from "node:path";

/**
 * The seed of this run: the one that was asked for, or the next after that of the run before, so that runs in a row take all
 * that there is.
 *
 * @throws {Error} for one that was asked for and is not a whole number.
 */
export async function nextSeed(folder: string, given: string | undefined): Promise<number> {
  if (given !== undefined && given !== "") {
    if (/^\d{1,15}$/.test(given)) return Number(given);
    throw new Error(`CHECK_SEED is "${given}", which is not a whole number`);
  }
  const file = Bun.file(join(folder, "check-seed"));
  const before = Number(await file.text().catch(() => "")); // Nothing depends on where it begins.
  const seed = Number.isSafeInteger(before) && before > 0 ? before + 1 : 1 + Math.floor(Math.random() * 1_000_000);
  await Bun.write(file, String(seed));
  return seed;
}
