import { constants } from "node:fs";
import { link, open, rm } from "node:fs/promises";
import { errorCode } from "../../failures/error-code.ts";

/** File systems without hard links, such as FAT and exFAT. */
const withoutLinks: ReadonlySet<unknown> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP"]);

interface NewFile {
  readonly temporary: string;
  readonly target: string;
  readonly bytes: Uint8Array;
  readonly mode?: number | undefined;
}

/**
 * Creates a file atomically, only if the path is free. Without hard links it is written in place, so a crash leaves it
 * incomplete: a rename could replace a file of another process.
 * @throws {Error} with code `EEXIST` if the path exists.
 */
export async function makeFile(
  { temporary, target, bytes, mode }: NewFile,
  linkFile: typeof link = link,
): Promise<void> {
  try {
    await linkFile(temporary, target);
  } catch (error) {
    if (!withoutLinks.has(errorCode(error))) throw error;
    await writeInPlace(target, bytes, mode);
  }
}

async function writeInPlace(path: string, bytes: Uint8Array, mode: number | undefined): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  await using handle = await open(path, flags, mode === undefined ? 0o666 : 0o600);
  try {
    // The umask would reduce a mode passed to `open`.
    if (mode !== undefined) await handle.chmod(mode);
    await handle.writeFile(bytes);
    await handle.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}
