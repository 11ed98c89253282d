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
import { open, realpath, type FileHandle } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";

/** Reads what the grant allows: a path is judged as it is written first, then by where its links lead. */
export function createFileSystem(extension: string, grant: true | FsGrant, clock: Clock): FileSystem {
  const roots = grant === true ? undefined : (grant.read ?? []);
  return {
    async readFile(path, options) {
      if (!isAbsolute(options.cwd)) {
        throw new KernelError(
          "CAPABILITY_DENIED",
          `Cannot read "${path}" for "${extension}": its cwd "${options.cwd}" is not absolute`,
          { extension },
        );
      }
      try {
        return await withDeadline(() => read(path, roots, options), { timeoutMs: options.timeoutMs, clock });
      } catch (error) {
        if (error instanceof DeadlineError) return { kind: "absent", reason: "timeout" };
        return { kind: "absent", reason: "failed", detail: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}

async function read(
  path: string,
  roots: readonly string[] | undefined,
  options: ReadFileOptions,
): Promise<FileRead> {
  if (path.includes("\u0000")) return { kind: "absent", reason: "not-found" };
  const named = resolve(options.cwd, path);
  const allowed = roots?.map((root) => resolve(root.replace(/^\$cwd/, () => options.cwd)));
  // Before the file is looked for: whether one exists outside the grant is nobody's business.
  if (allowed !== undefined && !allowed.some((root) => isWithin(root, named)))
    return { kind: "absent", reason: "denied" };
  let real: string;
  try {
    real = await realpath(named);
  } catch (error) {
    return absence(error);
  }
  if (!(await isAllowed(allowed, real))) return { kind: "absent", reason: "denied" };
  let handle: FileHandle;
  try {
    // Not blocking, so that a pipe without a writer opens at once; no link may have come in between.
    handle = await open(
      real,
      constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW | constants.O_NOCTTY,
    );
  } catch (error) {
    return absence(error);
  }
  try {
    return await readHandle(handle, real, allowed, options);
  } finally {
    await handle.close();
  }
}

async function readHandle(
  handle: FileHandle,
  path: string,
  allowed: readonly string[] | undefined,
  options: ReadFileOptions,
): Promise<FileRead> {
  const stat = await handle.stat();
  if (!stat.isFile()) return { kind: "absent", reason: "not-a-file" };
  if (!(await isAllowed(allowed, await pathOfHandle(handle, path)))) return { kind: "absent", reason: "denied" };
  const { maxBytes } = options;
  if (stat.size > maxBytes) return { kind: "absent", reason: "too-large", detail: `${stat.size} bytes` };
  // One byte more than it should have: a file that grows while it is read is found out, and never read whole.
  const limit = Math.min(maxBytes, Math.max(stat.size, 65_536)) + 1;
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    if (options.signal?.aborted === true) return { kind: "absent", reason: "failed", detail: "stopped" };
    const buffer = Buffer.allocUnsafe(Math.min(limit, maxBytes + 1 - size));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, size);
    if (bytesRead === 0) break;
    size += bytesRead;
    if (size > maxBytes) return { kind: "absent", reason: "too-large", detail: `over ${maxBytes} bytes` };
    chunks.push(buffer.subarray(0, bytesRead));
  }
  return { kind: "read", bytes: Buffer.concat(chunks), path };
}

/** Where the open file really lies: between the look and the opening, a folder could have become a link. */
async function pathOfHandle(handle: FileHandle, fallback: string): Promise<string> {
  try {
    return await realpath(`/proc/self/fd/${handle.fd}`);
  } catch {
    return fallback; // Only Linux tells; elsewhere the look before stands.
  }
}

async function isAllowed(allowed: readonly string[] | undefined, real: string): Promise<boolean> {
  if (allowed === undefined) return true;
  const roots = await Promise.all(allowed.map((root) => realpath(root).catch(() => root)));
  return roots.some((root) => isWithin(root, real));
}

function isWithin(root: string, path: string): boolean {
  const rest = relative(root, path);
  return (
    rest === "" ||
    (!rest.startsWith("..") && !isAbsolute(rest)) ||
    (rest.startsWith("..") && !/^\.\.(\/|$)/.test(rest))
  );
}

function absence(error: unknown): FileRead {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG" || code === "ELOOP")
    return { kind: "absent", reason: "not-found" };
  if (code === "ENXIO" || code === "ENODEV") return { kind: "absent", reason: "not-a-file" };
  if (code === "EACCES" || code === "EPERM") return { kind: "absent", reason: "denied" };
  return { kind: "absent", reason: "failed", detail: error instanceof Error ? error.message : String(error) };
}
