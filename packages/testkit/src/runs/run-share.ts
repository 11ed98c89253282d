import { createHash } from "node:crypto";

/** Number of consecutive local runs that together cover everything. */
export const shareCount = 5;

export interface RunShare {
  /** Any whole number; `shareCount` consecutive ones cover everything. */
  readonly seed: number;
}

/**
 * Returns the share of this run: a local `bun run check` sets `CHECK_SEED` to a different number each time. CI and `bun
 * test` do not, and run all.
 *
 * @throws {Error} for a seed that is not a whole number, since the selection would be unclear.
 */
export function shareOfRun(env: Readonly<Record<string, string | undefined>> = process.env): RunShare | "all" {
  const seed = env["CHECK_SEED"];
  if (seed === undefined || seed === "") return "all";
  if (!/^\d{1,15}$/.test(seed)) throw new Error(`CHECK_SEED is "${seed}", which is not a whole number`);
  return { seed: Number(seed) };
}

/**
 * Returns a fifth of `names`, at least one. The selection depends only on names and seed, not on their order, so
 * that no position is always skipped. Five consecutive seeds cover all names.
 */
export function takeShare(names: readonly string[], share: RunShare | "all" = shareOfRun()): ReadonlySet<string> {
  if (share === "all") return new Set(names);
  const dealt = [...new Set(names)].toSorted((a, b) => (hashOf(a) < hashOf(b) ? -1 : 1));
  const parts = Math.min(shareCount, dealt.length);
  return new Set(dealt.filter((_, index) => index % parts === share.seed % parts));
}

/** Returns a fifth of `count`, rounded up, or all of it. */
export function timesOfShare(count: number, share: RunShare | "all" = shareOfRun()): number {
  return share === "all" ? count : Math.ceil(count / shareCount);
}

/** A hash distributes similar names, such as neighbours in a table. */
function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
