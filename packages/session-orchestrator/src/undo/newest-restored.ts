import type { StoredFileChange } from "../store/stored.ts";

/**
 * The changes by which turns were taken back last, from one message on, as far as that still holds: what was itself taken back
 * since is as the turns left it, and taking it back once more would undo the turns. Whoever puts many files back does it in parts.
 * @param changes In the order in which they were made.
 * @param of The message; left out: the one of which files were put back last.
 */
export function newestRestored<Change extends Pick<StoredFileChange, "by"> & { readonly changeId: string }>(
  changes: readonly Change[],
  of?: string,
): readonly Change[] {
  const takenBack = new Set<string>();
  const found: Change[] = [];
  let message = of;
  for (const change of changes.toReversed()) {
    if (!("restorationId" in change.by) || takenBack.has(change.changeId)) continue;
    const { of: undone } = change.by;
    if ("changeIds" in undone) {
      for (const id of undone.changeIds) takenBack.add(id);
      continue;
    }
    message ??= undone.from;
    if (undone.from === message) found.push(change);
  }
  return found.toReversed();
}
