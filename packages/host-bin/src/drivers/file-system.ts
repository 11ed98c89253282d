import {
  KernelError,
  withDeadline,
  DeadlineError,
  type Clock,
  type FileRead,
  type FileSystem,
  type FsGrant,
  type ReadFileOptions,
} from "@incipit/kernel";
import { constants } from "node:fs";
import { open, readlink, realpath, stat, type FileHandle } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import { errorCode, errorMessage } from "./error-code.ts";
import { GrantedPaths, leadsTo } from "./granted-paths.ts";

/** `PATH_MAX` of Linux: no file has a longer path. */
const maxPathBytes = 4_096;
/** What is read at once of a file that does not tell its size, such as those of /proc. */
const chunkBytes = 65_536;

/** Reads what the grant allows: a path is judged as it is written first, then by where its links lead. */
export function createFileSystem(extension: string, grant: true | FsGrant, clock: Clock): FileSystem {
  return {
    async readFile(path, options) {
      if (!isAbsolute(options.cwd)) {
        throw new KernelError(
          "CAPABILITY_DENIED",
          `Cannot read "${path}" for "${extension}": its cwd "${options.cwd}" is not absolute`,
          { extension },
        );
      }
      const granted =
        grant === true ? undefined : new GrantedPaths(grant.read ?? [], { cwd: resolve(options.cwd) });
      const { timeoutMs, signal } = options;
      const stopped = Promise.withResolvers<FileRead>();
      const stop = (): void => stopped.resolve({ kind: "absent", reason: "failed", detail: "stopped" });
      signal?.addEventListener("abort", stop, { once: true });
      if (signal?.aborted === true) stop();
      try {
        return await withDeadline(() => Promise.race([stopped.promise, read(path, granted, options)]), {
          timeoutMs,
          clock,
        });
      } catch (error) {
        if (error instanceof DeadlineError) return { kind: "absent", reason: "timeout" };
        return { kind: "absent", reason: "failed", detail: errorMessage(error) };
      } finally {
        signal?.removeEventListener("abort", stop);
      }
    },
  };
}

/** `granted` absent: everything is. */
async function read(path: string, granted: GrantedPaths | undefined, options: ReadFileOptions): Promise<FileRead> {
  const named = resolve(options.cwd, path);
  // Before the file is looked for: whether one exists outside the grant is nobody's business.
  if (granted !== undefined && !(await granted.allowsName(named))) return { kind: "absent", reason: "denied" };
  if (named.includes("\u0000") || Buffer.byteLength(named) > maxPathBytes)
    return { kind: "absent", reason: "not-found" };
  let real: string;
  try {
    real = await realpath(named);
  } catch (error) {
    // Also a link that leads nowhere must not tell what is outside.
    if (granted !== undefined && !(await granted.allowsReal(await leadsTo(named))))
      return { kind: "absent", reason: "denied" };
    return absence(error);
  }
  if (granted !== undefined && !(await granted.allowsReal(real))) return { kind: "absent", reason: "denied" };
  try {
    // Looked at before it is opened: opening some devices does something, and a pipe's writer would go on.
    if (!(await stat(real)).isFile()) return { kind: "absent", reason: "not-a-file" };
    // Not blocking, should it have become a pipe; no link may have come in between.
    const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW | constants.O_NOCTTY;
    await using handle = await open(real, flags);
    return await readHandle(handle, real, granted, options);
  } catch (error) {
    return absence(error);
  }
}

async function readHandle(
  handle: FileHandle,
  path: string,
  granted: GrantedPaths | undefined,
  { maxBytes, signal }: ReadFileOptions,
): Promise<FileRead> {
  const entry = await handle.stat();
  const expectedBytes = entry.size;
  if (!entry.isFile()) return { kind: "absent", reason: "not-a-file" };
  if (granted !== undefined && !(await granted.allowsReal(await pathOfHandle(handle, path))))
    return { kind: "absent", reason: "denied" };
  if (expectedBytes > maxBytes)
    return { kind: "absent", reason: "too-large", detail: `${expectedBytes} bytes; at most ${maxBytes} are read` };
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    if (signal?.aborted === true) return { kind: "absent", reason: "failed", detail: "stopped" };
    // One byte more than it should have: a file that grows while it is read is found out, and never read whole.
    const wanted = Math.min(Math.max(expectedBytes - size + 1, chunkBytes), maxBytes + 1 - size);
    const buffer = Buffer.allocUnsafe(wanted);
    const { bytesRead } = await handle.read(buffer, 0, wanted, size);
    if (bytesRead === 0) break;
    size += bytesRead;
    if (size > maxBytes)
      return { kind: "absent", reason: "too-large", detail: `over ${maxBytes} bytes when it was read` };
    chunks.push(buffer.subarray(0, bytesRead));
  }
  return { kind: "read", bytes: Buffer.concat(chunks), path };
}

/** Where the open file really lies: between the look and the opening, a folder could have become a link. */
async function pathOfHandle(handle: FileHandle, fallback: string): Promise<string> {
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

function absence(error: unknown): FileRead {
  switch (errorCode(error)) {
    case "ENOENT":
    case "ENOTDIR":
    case "ENAMETOOLONG":
    case "ELOOP":
      return { kind: "absent", reason: "not-found" };
    case "ENXIO":
    case "ENODEV":
    case "EISDIR":
      return { kind: "absent", reason: "not-a-file" };
    case "EACCES":
    case "EPERM":
      return { kind: "absent", reason: "denied" };
    default:
      return { kind: "absent", reason: "failed", detail: errorMessage(error) };
  }
}
