import type { StoredFileChange } from "../store/stored.ts";

type ContentDigest = StoredFileChange["after"];

export type FileOrigin<Change> =
  /** Can be restored to the state before `change`. `made`: the changes actually made, including `change`. */
  | { readonly kind: "origin"; readonly change: Change; readonly made: readonly Change[] }
  | { readonly kind: "unchanged" }
  | { readonly kind: "changed" };

/**
 * Follows the changes backwards from the present content. Skips one whose `before` is the present content: it was
 * never made, for example because its call was denied, or was already reverted.
 */
export function originOf<Change extends Pick<StoredFileChange, "before" | "after">>(
  changes: readonly Change[],
  present: ContentDigest,
): FileOrigin<Change> {
  let at: StoredFileChange["before"] = present;
  const made: Change[] = [];
  for (const change of changes.toReversed()) {
    // Unknown previous content breaks the chain.
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

function isSame(one: ContentDigest, other: ContentDigest): boolean {
  return one === null || other === null ? one === other : one.sha256 === other.sha256;
}
