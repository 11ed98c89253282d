import { open } from "node:fs/promises";

/** Errors of file systems that cannot sync folders, such as some network ones. */
const withoutFolderSync: ReadonlySet<unknown> = new Set(["EINVAL", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"]);

/** Resolves once the names in a folder are on disk, where the file system supports that. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return; // Windows cannot sync folders.
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && withoutFolderSync.has(error.code))) throw error;
  } finally {
    await folder.close();
  }
}
