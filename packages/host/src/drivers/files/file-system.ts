import {
  KernelError,
  withDeadline,
  DeadlineError,
  type Clock,
  type FilePlace,
  type FileRead,
  type FileRemoval,
  type FileSystem,
  type FileWrite,
  type FolderFiles,
  type FolderList,
  type FsGrant,
  type LocateFileOptions,
  type ReadFileOptions,
} from "@incipit/kernel";
import { constants } from "node:fs";
import { lstat, open, stat, type FileHandle } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import type { ClosedFolder } from "./closed-folder.ts";
import { errorMessage } from "../../failures/error-code.ts";
import { fileAbsence, GrantedPaths, findGranted, pathOfHandle } from "./granted-paths.ts";
import { listFolder } from "./open-folder.ts";
import { PathQueue, permissionBits, removeFile, writeFile } from "./write-file.ts";
import { readFolder } from "./read-folder.ts";

/** Files in /proc report no size. */
const chunkBytes = 65_536;

export interface FileSystemDriverOptions {
  readonly clock: Clock;
  readonly queue?: PathQueue;
  /** If absent, only the grant decides. */
  readonly closed?: ClosedFolder | undefined;
}

interface CallOptions {
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

interface Call {
  readonly granted: GrantedPaths;
  readonly isOver: () => boolean;
}

interface Ending {
  readonly reason: "timeout" | "failed";
  readonly detail?: string;
}

/** Checks a path as written, then by the target of its links. All writers of one host share `queue`. */
export function createFileSystem(
  extension: string,
  grant: true | FsGrant,
  { clock, queue = new PathQueue(), closed }: FileSystemDriverOptions,
): FileSystem {
  const call = async <Result>(
    work: (call: Call) => Promise<Result>,
    ended: (ending: Ending) => Result,
    {
      asked,
      kind,
      options,
    }: { readonly asked: string; readonly kind: keyof FsGrant; readonly options: CallOptions },
  ): Promise<Result> => {
    const { cwd, timeoutMs, signal } = options;
    if (!isAbsolute(cwd)) {
      const message = `Cannot ${asked} for "${extension}": its cwd "${cwd}" is not absolute`;
      throw new KernelError("CAPABILITY_DENIED", message, { extension });
    }
    const granted = new GrantedPaths(grant === true ? true : (grant[kind] ?? []), { cwd: resolve(cwd), closed });
    let isOver = false;
    const stopped = Promise.withResolvers<Result>();
    const stop = (): void => stopped.resolve(ended({ reason: "failed", detail: "stopped" }));
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted === true) stop();
    const isStopped = (): boolean => isOver || signal?.aborted === true;
    try {
      return await withDeadline(() => Promise.race([stopped.promise, work({ granted, isOver: isStopped })]), {
        timeoutMs,
        clock,
      });
    } catch (error) {
      if (error instanceof DeadlineError) return ended({ reason: "timeout" });
      return ended({ reason: "failed", detail: errorMessage(error) });
    } finally {
      isOver = true;
      signal?.removeEventListener("abort", stop);
    }
  };
  return {
    readFile: (path, options) =>
      call<FileRead>(
        ({ granted }) => read(path, granted, options),
        (ending) => ({ kind: "absent", ...ending }),
        { asked: `read "${path}"`, kind: "read", options },
      ),
    list: (path, options) =>
      call<FolderList>(
        ({ granted }) => listFolder(path, granted, options),
        (ending) => ({ kind: "absent", ...ending }),
        { asked: `list "${path}"`, kind: "read", options },
      ),
    readFolder: (path, options) =>
      call<FolderFiles>(
        ({ granted }) =>
          readFolder(path, {
            ...options,
            granted,
            readLinked: (entry) => read(entry, granted, options),
            now: () => clock.now(),
          }),
        (ending) => ({ kind: "absent", ...ending }),
        { asked: `read "${path}"`, kind: "read", options },
      ),
    locate: (path, options) =>
      call<FilePlace>(
        ({ granted }) => locate(path, granted, options),
        (ending) => ({ kind: "refused", ...ending }),
        { asked: `locate "${path}"`, kind: "write", options },
      ),
    writeFile: (path, bytes, options) =>
      call<FileWrite>(
        ({ granted, isOver }) => writeFile(path, bytes, { ...options, granted, queue, isOver }),
        (ending) => ({ kind: "refused", ...ending }),
        { asked: `write "${path}"`, kind: "write", options },
      ),
    removeFile: (path, options) =>
      call<FileRemoval>(
        ({ granted, isOver }) => removeFile(path, { ...options, granted, queue, isOver }),
        (ending) => ({ kind: "refused", ...ending }),
        { asked: `remove "${path}"`, kind: "write", options },
      ),
  };
}

async function locate(path: string, granted: GrantedPaths, { cwd }: LocateFileOptions): Promise<FilePlace> {
  const found = await findGranted(path, cwd, granted);
  if (found.kind === "absent") return { ...found, kind: "refused" };
  return { kind: "located", path: found.path };
}

async function read(path: string, granted: GrantedPaths, options: ReadFileOptions): Promise<FileRead> {
  const found = await findGranted(path, options.cwd, granted);
  if (found.kind === "missing") {
    const isDangling = found.path !== resolve(options.cwd, path) && (await isLink(path, options));
    return {
      kind: "absent",
      reason: "not-found",
      ...(isDangling ? { detail: "it is a broken link" } : {}),
    };
  }
  if (found.kind === "absent") {
    const isCircle = found.reason === "not-found" && (await isLink(path, options));
    return isCircle ? { ...found, detail: "its links form a loop" } : found;
  }
  const { path: real } = found;
  try {
    // Checked before opening: opening some devices has effects, and opening a pipe would release its writer.
    if (!(await stat(real)).isFile()) return { kind: "absent", reason: "not-a-file" };
    // Non-blocking, in case it became a pipe; no links, in case one was swapped in.
    const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW | constants.O_NOCTTY;
    await using handle = await open(real, flags);
    return await readHandle(handle, real, granted, options);
  } catch (error) {
    return { kind: "absent", ...fileAbsence(error) };
  }
}

async function isLink(path: string, { cwd }: ReadFileOptions): Promise<boolean> {
  try {
    return (await lstat(resolve(cwd, path))).isSymbolicLink();
  } catch {
    return false;
  }
}

async function readHandle(
  handle: FileHandle,
  path: string,
  granted: GrantedPaths,
  { maxBytes, signal }: ReadFileOptions,
): Promise<FileRead> {
  const entry = await handle.stat();
  const expectedBytes = entry.size;
  if (!entry.isFile()) return { kind: "absent", reason: "not-a-file" };
  if (!(await granted.allowsReal(await pathOfHandle(handle, path))) || !(await granted.allowsFile(entry)))
    return { kind: "absent", reason: "denied" };
  if (expectedBytes > maxBytes)
    return { kind: "absent", reason: "too-large", detail: `${expectedBytes} bytes; at most ${maxBytes} are read` };
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    if (signal?.aborted === true) return { kind: "absent", reason: "failed", detail: "stopped" };
    // Detects a growing file without reading it whole.
    const wanted = Math.min(Math.max(expectedBytes - size + 1, chunkBytes), maxBytes + 1 - size);
    const buffer = Buffer.allocUnsafe(wanted);
    const { bytesRead } = await handle.read(buffer, 0, wanted, size);
    if (bytesRead === 0) break;
    size += bytesRead;
    if (size > maxBytes) return { kind: "absent", reason: "too-large", detail: `over ${maxBytes} bytes when read` };
    chunks.push(buffer.subarray(0, bytesRead));
  }
  const mode = process.platform === "win32" ? {} : { mode: entry.mode & permissionBits };
  return { kind: "read", bytes: Buffer.concat(chunks), path, ...mode };
}
