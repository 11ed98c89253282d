import { isInside } from "@incipit/common/system";
import { realpath, rmdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { GrantedPaths } from "./granted-paths.ts";
import { openFolder } from "./open-folder.ts";

export interface EmptyFolderOptions {
  readonly folders: ReadonlySet<string>;
  readonly cwd: string;
  readonly granted: GrantedPaths;
  readonly isOver: () => boolean;
}

/** Stops at a folder that is unlisted, not empty, a link, or the working folder. */
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
      await rmdir(parent.at(name));
      await parent.sync();
      removed.push(at);
    }
  } catch {
    // Not a failure: the file is gone, and the result lists the removed folders.
  }
  return removed;
}
