import { realpath, rmdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isInside } from "../../paths/is-inside.ts";
import type { GrantedPaths } from "./granted-paths.ts";
import { openFolder } from "./open-folder.ts";

export interface EmptyFolderOptions {
  readonly folders: ReadonlySet<string>;
  readonly cwd: string;
  readonly granted: GrantedPaths;
  readonly isOver: () => boolean;
}

/**
 * Removes the folders that a file lay in, from the innermost on, up to the first one that is not named, is not empty, or is the
 * working folder. A link in the place of a folder ends it, too. Gives those that went.
 */
export async function removeEmptyFolders(
  file: string,
  { folders, cwd, granted, isOver }: EmptyFolderOptions,
): Promise<readonly string[]> {
  const removed: string[] = [];
  try {
    const root = await realpath(cwd);
    for (let at = dirname(file); folders.has(at) && isInside(at, root) && !isOver(); at = dirname(at)) {
      const name = basename(at);
      await using parent = await openFolder(dirname(at), { granted, entry: name });
      if (parent === undefined || join(parent.path, name) !== at) break;
      await rmdir(parent.at(name)); // The system refuses one with content, and a link.
      await parent.sync();
      removed.push(at);
    }
  } catch {
    // One that stays is no failure: the file is gone, and whoever asked learns which folders went.
  }
  return removed;
}
