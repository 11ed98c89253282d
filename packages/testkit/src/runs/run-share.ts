import { createHash } from "node:crypto";

/** So many runs by hand take all of what repeats between them. */
export const shareCount = 5;

/** Which part a run takes. */
export interface RunShare {
  /** Any whole number; so many in a row as there are parts take everything. */
  readonly seed: number;
}

/**
 * What this run was told: `bun run check` by hand sets `CHECK_SEED`, another one each time. CI does not, nor does
 * `bun test`: they take all.
 *
 * @throws {Error} for a seed that is no whole number: nobody would know what has run.
 */
export function shareOfRun(env: Readonly<Record<string, string | undefined>> = process.env): RunShare | "all" {
  const seed = env["CHECK_SEED"];
  if (seed === undefined || seed === "") return "all";
  if (!/^\d{1,15}$/.test(seed)) throw new Error(`CHECK_SEED is "${seed}", which is not a whole number`);
  return { seed: Number(seed) };
}

/**
 * Those of `names` that the run takes: a fifth of them, and one at least. Which ones depends on the names and the seed alone,
 * and not on their order, so that a row of five does not always lose the same one. Five seeds in a row take each of them.
 */
export function takeShare(names: readonly string[], share: RunShare | "all" = shareOfRun()): ReadonlySet<string> {
  if (share === "all") return new Set(names);
  const dealt = [...new Set(names)].toSorted((a, b) => (hashOf(a) < hashOf(b) ? -1 : 1));
  const parts = Math.min(shareCount, dealt.length);
  return new Set(dealt.filter((_, index) => index % parts === share.seed % parts));
}

/** How often the run does what all of it does `count` times: a fifth as often. */
export function timesOfShare(count: number, share: RunShare | "all" = shareOfRun()): number {
  return share === "all" ? count : Math.ceil(count / shareCount);
}

/** Near names have nothing in common here: neighbours in a table are dealt to anybody. */
function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
