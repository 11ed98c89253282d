import { join } from "node:path";

/**
 * Defaults to the successor of the previous run's seed, so that consecutive runs cover all shares.
 * @throws {Error} unless a requested seed is a whole number.
 */
export async function nextSeed(folder: string, given: string | undefined): Promise<number> {
  if (given !== undefined && given !== "") {
    if (/^\d{1,15}$/.test(given)) return Number(given);
    throw new Error(`CHECK_SEED is "${given}", which is not a whole number`);
  }
  const file = Bun.file(join(folder, "check-seed"));
  const before = Number(await file.text().catch(() => ""));
  const seed = Number.isSafeInteger(before) && before > 0 ? before + 1 : 1 + Math.floor(Math.random() * 1_000_000);
  await Bun.write(file, String(seed));
  return seed;
}
