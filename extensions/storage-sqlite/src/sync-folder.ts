import { open } from "node:fs/promises";

/** Some file systems, such as network ones, cannot sync folders. */
const withoutFolderSync: ReadonlySet<unknown> = new Set(["EINVAL", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"]);

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
