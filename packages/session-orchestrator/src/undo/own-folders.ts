import { sep } from "node:path";
import type { StoredFileChange } from "../store/stored.ts";

type Change = Pick<StoredFileChange, "by" | "path" | "after" | "missingFolders"> & { readonly changeId: string };

/** A folder that a change has made, as long as nobody else can have made it anew. */
interface OwnFolder {
  /** Files in it, as far as the changes tell. */
  readonly files: Set<string>;
  /** The last of them went when files were put back, and the folder with it. */
  hasGone: boolean;
}

/**
 * Leaves out of `missingFolders` those that somebody else has made since: the folder went with its last file, and was there again
 * before another file came into it.
 * @param history All that was done, `changes` among it, in whatever order.
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

/** Folders that were made for those of the files that are gone because they were put back, and were not made again since. */
export function foldersOfGone(changes: readonly Change[], history: readonly Change[]): readonly string[] {
  const gone = new Map(
    history.toSorted(byAge).map(({ path, after, by }) => [path, after === null && "restorationId" in by]),
  );
  return changes.flatMap(({ path, missingFolders = [] }) => (gone.get(path) === true ? missingFolders : []));
}

/** The change before which a folder had become somebody else's. */
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
