import { constants } from "node:fs";
import { link, open, rm } from "node:fs/promises";
import { errorCode } from "../../failures/error-code.ts";

/** What file systems that know no hard links, such as FAT and exFAT, say to one. */
const withoutLinks: ReadonlySet<unknown> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP"]);

interface NewFile {
  /** It is written already, and lies in the same folder. */
  readonly temporary: string;
  readonly target: string;
  readonly bytes: Uint8Array;
  /** `undefined`: what the system gives a new file. */
  readonly mode?: number | undefined;
}

/**
 * Makes a file only where nothing is, whole and at once: of two that make it, one is told. Where there are no hard links, it is
 * written in its place: a crash on the way leaves the half of it there, as a renaming could replace what somebody else has made.
 * @throws {Error} with the code `EEXIST`: something is there.
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
    // A mode that is given to `open` is cut by the process's umask.
    if (mode !== undefined) await handle.chmod(mode);
    await handle.writeFile(bytes);
    await handle.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}
