import type { StoredFileChange } from "../store/stored.ts";

type Held = StoredFileChange["after"];

/** What to do with a file, judged by what was done to it and what it is. */
export type FileOrigin<Change> =
  /** What it was before this change is what it was before all of them. `made`: those that were made, it among them. */
  | { readonly kind: "origin"; readonly change: Change; readonly made: readonly Change[] }
  /** It is that already. */
  | { readonly kind: "unchanged" }
  /** It is none of what the changes left, or somebody else has changed it between two of them. */
  | { readonly kind: "changed" };

/**
 * Goes back from what a file is, change by change. One whose `before` is what the file is was never made, such as of a call that
 * was refused behind it, or was put back already: it is passed over.
 * @param changes Of one file, in the order in which they were made.
 */
export function originOf<Change extends Pick<StoredFileChange, "before" | "after">>(
  changes: readonly Change[],
  present: Held,
): FileOrigin<Change> {
  let at: StoredFileChange["before"] = present;
  const made: Change[] = [];
  for (const change of changes.toReversed()) {
    // What was there before a change that could not read it is anybody's guess: nothing leads on from it.
    if (at === "unknown") return { kind: "changed" };
    if (isSame(change.after, at)) {
      at = change.before;
      made.push(change);
    } else if (change.before === "unknown" || !isSame(change.before, at)) return { kind: "changed" };
  }
  const oldest = made.at(-1);
  if (oldest === undefined || (at !== "unknown" && isSame(at, present))) return { kind: "unchanged" };
  return { kind: "origin", change: oldest, made };
}

function isSame(one: Held, other: Held): boolean {
  return one === null || other === null ? one === other : one.sha256 === other.sha256;
}
