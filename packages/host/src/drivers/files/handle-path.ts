import { readlink, type FileHandle } from "node:fs/promises";

/** A folder may have been swapped for a link before the file was opened. */
export async function pathOfHandle(handle: FileHandle, fallback: string): Promise<string> {
  let path: string;
  try {
    // The link is read but not followed: its target may be removed or replaced by now.
    path = await readlink(`/proc/self/fd/${handle.fd}`);
  } catch {
    return fallback; // Only Linux has /proc; elsewhere the earlier check has to do.
  }
  const isRemoved = (await handle.stat()).nlink === 0;
  return isRemoved ? path.replace(/ \(deleted\)$/, "") : path;
}
