import { sep } from "node:path";
import type { StoredFileChange } from "../store/stored.ts";

type Change = Pick<StoredFileChange, "by" | "path" | "after" | "missingFolders"> & { readonly changeId: string };

interface OwnFolder {
  readonly files: Set<string>;
  hasGone: boolean;
}

/**
 * Others have recreated a folder if it was removed with its last file, and existed again before the next file was
 * created. `history` includes `changes`, in any order.
 */
export function withOwnFolders<Given extends Change>(
  changes: readonly Given[],
  history: readonly Change[],
): readonly Given[] {
  const lost = lostFolders(history);
  return changes.map((change) => {
    const { missingFolders, changeId } = change;
    if (missingFolders === undefined) return change;
    return { ...change, missingFolders: missingFolders.filter((folder) => (lost.get(folder) ?? "") <= changeId) };
  });
}

export function foldersOfRemovedFiles(changes: readonly Change[], history: readonly Change[]): readonly string[] {
  const gone = new Map(
    history.toSorted(byAge).map(({ path, after, by }) => [path, after === null && "restorationId" in by]),
  );
  return changes.flatMap(({ path, missingFolders = [] }) => (gone.get(path) === true ? missingFolders : []));
}

function lostFolders(history: readonly Change[]): ReadonlyMap<string, string> {
  const own = new Map<string, OwnFolder>();
  const lost = new Map<string, string>();
  for (const { by, path, after, missingFolders = [], changeId } of history.toSorted(byAge)) {
    if (after !== null) for (const folder of missingFolders) own.set(folder, { files: new Set(), hasGone: false });
    for (const [folder, state] of own) {
      if (!path.startsWith(folder + sep)) continue;
      if (state.hasGone && !missingFolders.includes(folder)) {
        own.delete(folder);
        lost.set(folder, changeId);
      } else if (after !== null) state.files.add(path);
      else if (state.files.delete(path)) state.hasGone = state.files.size === 0 && "restorationId" in by;
    }
  }
  return lost;
}

export function byAge(a: { readonly changeId: string }, b: { readonly changeId: string }): number {
  return a.changeId < b.changeId ? -1 : 1;
}
