import { createHash } from "node:crypto";

/** Consecutive local runs that together cover everything. */
export const shareCount = 5;

export interface RunShare {
  /** Any whole number; `shareCount` consecutive ones cover everything. */
  readonly seed: number;
}

/**
 * A local `bun run check` sets `CHECK_SEED` to a different number each time; CI and `bun test` run all. @throws {Error}
 * for a seed that is not a whole number.
 */
export function currentSample(env: Readonly<Record<string, string | undefined>> = process.env): RunShare | "all" {
  const seed = env["CHECK_SEED"];
  if (seed === undefined || seed === "") return "all";
  if (!/^\d{1,15}$/.test(seed)) throw new Error(`CHECK_SEED is "${seed}", which is not a whole number`);
  return { seed: Number(seed) };
}

/**
 * A fifth of `names`, at least one. Depends only on names and seed, so that no position is always skipped; five
 * consecutive seeds cover all names.
 */
export function sampleOf(names: readonly string[], share: RunShare | "all" = currentSample()): ReadonlySet<string> {
  if (share === "all") return new Set(names);
  const dealt = [...new Set(names)].toSorted((a, b) => (hashOf(a) < hashOf(b) ? -1 : 1));
  const parts = Math.min(shareCount, dealt.length);
  return new Set(dealt.filter((_, index) => index % parts === share.seed % parts));
}

/** A fifth of `count`, rounded up, or all of it. */
export function sampleCount(count: number, share: RunShare | "all" = currentSample()): number {
  return share === "all" ? count : Math.ceil(count / shareCount);
}

/** Returns a hash that spreads similar names, such as neighbours in a table. */
function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
