import type { FolderFile, FolderFiles, FileRead, ReadFolderOptions } from "@incipit/kernel";
import { constants, type BigIntStats } from "node:fs";
import { lstat, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../../failures/error-code.ts";
import { fileAbsence, type GrantedPaths, findGranted } from "./granted-paths.ts";
import { folderAbsence, sortedByBytes, openFolder, type OpenFolder } from "./open-folder.ts";

/** Reads mostly wait for the disk. */
const readAtOnce = 16;

/** A file changed this recently may change again within one tick of the file system's clock, under an equal time. */
const settledMs = 100;

const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW | constants.O_NOCTTY;

export interface ReadFolderContext extends ReadFolderOptions {
  readonly granted: GrantedPaths;
  readonly readLinked: (path: string) => Promise<FileRead>;
  readonly now: () => number;
}

export async function readFolder(path: string, context: ReadFolderContext): Promise<FolderFiles> {
  const { cwd, granted, ending, maxFiles } = context;
  const found = await findGranted(path, cwd, granted);
  if (found.kind === "missing") return { kind: "absent", reason: "not-found" };
  if (found.kind === "absent") return folderAbsence(found);
  try {
    await using folder = await openFolder(found.path, { granted });
    if (folder === undefined) return { kind: "absent", reason: "denied" };
    const listed = await readdir(folder.at("."), { withFileTypes: true });
    const plain = new Set(listed.flatMap((entry) => (entry.isFile() ? [entry.name] : [])));
    const names = sortedByBytes(listed.map(({ name }) => name).filter((name) => name.endsWith(ending)));
    const taken = names.slice(0, maxFiles);
    const files: FolderFile[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      for (let index = next++; index < taken.length && context.signal?.aborted !== true; index = next++)
        files[index] = await readEntry(folder, taken[index] ?? "", {
          ...context,
          isPlain: plain.has(taken[index] ?? ""),
        });
    };
    await Promise.all(Array.from({ length: readAtOnce }, work));
    if (context.signal?.aborted === true) return { kind: "absent", reason: "failed", detail: "stopped" };
    return { kind: "read", files, leftOut: names.length - taken.length, path: folder.path };
  } catch (error) {
    if (errorCode(error) === "ENOTDIR") return { kind: "absent", reason: "not-a-folder" };
    return folderAbsence(fileAbsence(error));
  }
}

async function readEntry(
  folder: OpenFolder,
  name: string,
  {
    granted,
    maxBytes,
    known,
    readLinked,
    now,
    isPlain,
  }: ReadFolderContext & {
    /** A regular file is opened without a `stat` unless a mark is known. */
    readonly isPlain: boolean;
  },
): Promise<FolderFile> {
  try {
    const before = known?.get(name);
    if (!isPlain || before !== undefined) {
      const entry = await lstat(folder.at(name), { bigint: true });
      if (entry.isSymbolicLink()) return { ...(await linked(folder, name, readLinked)), name };
      // Opening some devices has effects, and opening a pipe would release its writer.
      if (!entry.isFile()) return { name, kind: "absent", reason: "not-a-file" };
      if (before === markOf(entry, now())) return { name, kind: "known" };
    }
    await using handle = await open(folder.at(name), flags);
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile()) return { name, kind: "absent", reason: "not-a-file" };
    if (!(await granted.allowsFile({ dev: Number(stats.dev), ino: Number(stats.ino) })))
      return { name, kind: "absent", reason: "denied" };
    const expectedBytes = Number(stats.size);
    if (expectedBytes > maxBytes) return tooLarge(name, `${expectedBytes} bytes; at most ${maxBytes} are read`);
    const buffer = Buffer.allocUnsafe(expectedBytes + 1);
    let size = 0;
    while (size < buffer.length) {
      const { bytesRead } = await handle.read(buffer, size, buffer.length - size, size);
      size += bytesRead;
      if (bytesRead === 0 || size === expectedBytes) break;
    }
    // It grew since; read it like any other file.
    if (size > expectedBytes) return { ...(await linked(folder, name, readLinked)), name };
    const mark = markOf(stats, now());
    return { name, kind: "read", bytes: buffer.subarray(0, size), path: join(folder.path, name), mark };
  } catch (error) {
    return { name, kind: "absent", ...fileAbsence(error) };
  }
}

async function linked(
  folder: OpenFolder,
  name: string,
  readLinked: ReadFolderContext["readLinked"],
): Promise<
  { readonly kind: "read"; readonly bytes: Uint8Array; readonly path: string; readonly mark: null } | FileAbsent
> {
  const read = await readLinked(join(folder.path, name));
  return read.kind === "read" ? { ...read, mark: null } : read;
}

type FileAbsent = Extract<FileRead, { kind: "absent" }>;

function tooLarge(name: string, detail: string): FolderFile {
  return { name, kind: "absent", reason: "too-large", detail };
}

/** The owner of a file can reset its modification time, but not the change time. */
function markOf({ dev, ino, size, mtimeNs, ctimeNs, ctimeMs }: BigIntStats, nowMs: number): string | null {
  if (Number(ctimeMs) > nowMs - settledMs) return null;
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}
