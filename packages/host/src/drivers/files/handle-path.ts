import { readlink, type FileHandle } from "node:fs/promises";

/** Where the open file really lies: between the look and the opening, a folder could have become a link. */
export async function pathOfHandle(handle: FileHandle, fallback: string): Promise<string> {
  let path: string;
  try {
    // Not where that path leads by now: it may be gone, or be another file.
    path = await readlink(`/proc/self/fd/${handle.fd}`);
  } catch {
    return fallback; // Only Linux tells; elsewhere the look before stands.
  }
  const isRemoved = (await handle.stat()).nlink === 0;
  return isRemoved ? path.replace(/ \(deleted\)$/, "") : path;
}
