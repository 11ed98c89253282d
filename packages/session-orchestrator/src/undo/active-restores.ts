import type { StoredFileChange } from "../store/stored.ts";

/**
 * The restores from one message on, without those since undone: undoing them again would revert the turns. A restore
 * of many files may be split. `changes` must be in order; `of` defaults to the message of the newest restore.
 */
export function activeRestores<Change extends Pick<StoredFileChange, "by"> & { readonly changeId: string }>(
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
