import type { FileRemoval, FileWrite, RemoveFileOptions, WriteFileOptions } from "@incipit/kernel";
import { constants, type Stats } from "node:fs";
import { access, lstat, open, rename, rm, unlink, link, realpath, rmdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errorCode } from "../../failures/error-code.ts";
import { fileAbsence, type GrantedPaths, findGranted } from "./granted-paths.ts";
import { makeFolder, openFolder, type OpenFolder } from "./open-folder.ts";
import { isInside } from "@incipit/common/system";

interface WriteContext {
  readonly granted: GrantedPaths;
  readonly queue: PathQueue;
  /** Returns whether the caller already has its result, so that nothing may change any more. */
  readonly isOver: () => boolean;
}

const stopped: FileWrite = { kind: "refused", reason: "failed", detail: "stopped" };

export async function writeFile(
  path: string,
  bytes: Uint8Array,
  { granted, queue, isOver, ...options }: WriteContext & WriteFileOptions,
): Promise<FileWrite> {
  const found = await findGranted(path, options.cwd, granted);
  if (found.kind === "absent") return { ...found, kind: "refused" };
  const { place = found.path } = options;
  if (place !== found.path) return { kind: "refused", reason: "changed" };
  return queue.run(found.path, async () => {
    try {
      const open = options.createFolders === true ? makeFolder : openFolder;
      await using folder = await open(dirname(found.path), { granted, entry: basename(found.path) });
      if (folder === undefined) return { kind: "refused", reason: "denied" };
      // A folder on the path became a link.
      if (options.place !== undefined && join(folder.path, basename(place)) !== place)
        return { kind: "refused", reason: "changed" };
      return await replace(folder, basename(found.path), { ...options, bytes, isOver });
    } catch (error) {
      return { ...fileAbsence(error), kind: "refused" };
    }
  });
}

export async function removeFile(
  asked: string,
  { granted, queue, isOver, cwd, expected, place, emptyFolders = [] }: WriteContext & RemoveFileOptions,
): Promise<FileRemoval> {
  const found = await findGranted(asked, cwd, granted);
  if (found.kind === "absent") return { ...found, kind: "refused" };
  if (place !== undefined && place !== found.path) return { kind: "refused", reason: "changed" };
  const name = basename(found.path);
  return queue.run(found.path, async () => {
    try {
      await using folder = await openFolder(dirname(found.path), { granted, entry: name });
      if (folder === undefined) return { kind: "refused", reason: "denied" };
      if (place !== undefined && join(folder.path, name) !== place) return { kind: "refused", reason: "changed" };
      const before = await statsOf(folder, name);
      if (before === undefined) return { kind: "refused", reason: "not-found" };
      if (before.isSymbolicLink()) return { kind: "refused", reason: "changed" };
      if (!before.isFile()) return { kind: "refused", reason: "not-a-file" };
      if (!(await isAsExpected(folder, name, { before, expected }))) return { kind: "refused", reason: "changed" };
      if (isOver()) return { kind: "refused", reason: "failed", detail: "stopped" };
      await unlink(folder.at(name));
      await folder.sync();
      const path = join(folder.path, name);
      const folders = new Set(emptyFolders);
      const removedFolders = await removeEmptyFolders(path, { folders, cwd, granted, isOver });
      return { kind: "removed", path, ...(removedFolders.length === 0 ? {} : { removedFolders }) };
    } catch (error) {
      return { ...fileAbsence(error), kind: "refused" };
    }
  });
}

interface Replacement extends Pick<WriteFileOptions, "expected" | "mode"> {
  readonly bytes: Uint8Array;
  readonly isOver: () => boolean;
}

async function replace(
  folder: OpenFolder,
  name: string,
  { bytes, expected, mode: wanted, isOver }: Replacement,
): Promise<FileWrite> {
  const before = await statsOf(folder, name);
  // A link appeared since the path was resolved; its target was not checked.
  if (before?.isSymbolicLink() === true) return { kind: "refused", reason: "changed" };
  if (before !== undefined && !before.isFile()) return { kind: "refused", reason: "not-a-file" };
  // A rename ignores the file's mode: a read-only file must stay unchanged.
  if (before !== undefined) await access(folder.at(name), constants.W_OK);
  if (!(await isAsExpected(folder, name, { before, expected }))) return { kind: "refused", reason: "changed" };
  if (isOver()) return stopped;
  const temporary = folder.at(`.${crypto.randomUUID()}.tmp`);
  const isModeless = wanted === undefined || process.platform === "win32";
  const kept = isModeless ? before?.mode : wanted;
  const mode = kept === undefined ? undefined : kept & permissionBits;
  try {
    await writeBeside(temporary, bytes, mode);
    if (isOver()) return stopped;
    const now = await statsOf(folder, name);
    if (now?.ino !== before?.ino || !(await isAsExpected(folder, name, { before: now, expected })))
      return { kind: "refused", reason: "changed" };
    if (isOver()) return stopped;
    if (expected === null) await makeFile({ temporary, target: folder.at(name), bytes, mode });
    else await rename(temporary, folder.at(name));
    await folder.sync();
    return { kind: "written", path: join(folder.path, name) };
  } catch (error) {
    if (errorCode(error) === "EEXIST") return { kind: "refused", reason: "changed" };
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function writeBeside(path: string, bytes: Uint8Array, mode: number | undefined): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  await using handle = await open(path, flags, mode === undefined ? 0o666 : 0o600);
  if (mode !== undefined) await handle.chmod(mode);
  await handle.writeFile(bytes);
  await handle.sync();
}

async function statsOf(folder: OpenFolder, name: string): Promise<Stats | undefined> {
  try {
    return await lstat(folder.at(name));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

async function isAsExpected(
  folder: OpenFolder,
  name: string,
  { before, expected }: { readonly before: Stats | undefined; readonly expected: Uint8Array | null | undefined },
): Promise<boolean> {
  if (expected === undefined) return true;
  if (expected === null || before === undefined) return expected === null && before === undefined;
  if (before.size !== expected.length) return false;
  await using handle = await open(
    folder.at(name),
    constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW | constants.O_NOCTTY,
  );
  const content = Buffer.alloc(expected.length + 1);
  let size = 0;
  while (size < content.length) {
    const { bytesRead } = await handle.read(content, size, content.length - size, size);
    if (bytesRead === 0) break;
    size += bytesRead;
  }
  return content.subarray(0, size).equals(expected);
}

/**
 * Mode bits that survive a replacement of the content. As with `write(2)`, new content must not run with the rights of
 * the file's owner (setuid, setgid).
 */
export const permissionBits = 0o777;

export class PathQueue {
  readonly #last = new Map<string, Promise<void>>();

  async run<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(path);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    this.#last.set(path, ended);
    try {
      await before;
      return await work();
    } finally {
      if (this.#last.get(path) === ended) this.#last.delete(path);
      end();
    }
  }
}

/** Error codes of file systems without hard links, such as FAT and exFAT. */
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

interface EmptyFolderOptions {
  readonly folders: ReadonlySet<string>;
  readonly cwd: string;
  readonly granted: GrantedPaths;
  readonly isOver: () => boolean;
}

/** Stops at a folder that is unlisted, not empty, a link, or the working folder. */
async function removeEmptyFolders(
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
