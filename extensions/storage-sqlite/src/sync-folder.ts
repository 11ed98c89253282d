import { open } from "node:fs/promises";

/** What file systems answer that sync no folder when they are asked, such as some over a network. */
const withoutFolderSync: ReadonlySet<unknown> = new Set(["EINVAL", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"]);

/** Resolves once the names in a folder are on the disk, as far as its file system has a way to ask for that. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return; // It has none.
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && withoutFolderSync.has(error.code))) throw error;
  } finally {
    await folder.close();
  }
}
