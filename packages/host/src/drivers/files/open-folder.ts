import { constants, type Stats } from "node:fs";
import { mkdir, open, type FileHandle, lstat, readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { syncFolderBeside } from "../../disk/synced-file.ts";
import { errorCode } from "../../failures/error-code.ts";
import { type GrantedPaths, pathOfHandle, fileAbsence, type FileAbsence, findGranted } from "./granted-paths.ts";
import type { FolderEntry, FolderList, ListFolderOptions } from "@incipit/kernel";

const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Operations stay in the open folder even if its path is replaced. */
export class OpenFolder implements AsyncDisposable {
  readonly path: string;
  readonly #handle: FileHandle;

  constructor(handle: FileHandle, path: string) {
    this.#handle = handle;
    this.path = path;
  }

  at(name: string): string {
    // Only Linux has paths by handle.
    return join(process.platform === "linux" ? `/proc/self/fd/${this.#handle.fd}` : this.path, name);
  }

  async sync(): Promise<void> {
    await syncFolderBeside(this.#handle);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }
}

interface OpenFolderOptions {
  readonly granted: GrantedPaths;
  /** Entry of the folder, which the grant has to cover; absent for the folder itself. */
  readonly entry?: string;
}

/** `undefined` if the opened folder lies elsewhere and is not granted. */
export async function openFolder(path: string, options: OpenFolderOptions): Promise<OpenFolder | undefined> {
  return judged(await open(path, flags), path, options);
}

/** Creates each missing folder inside its open parent. */
export async function makeFolder(path: string, options: OpenFolderOptions): Promise<OpenFolder | undefined> {
  const { granted, entry = "" } = options;
  const missing: string[] = [];
  const ahead = (): string => join(...missing.toReversed(), entry);
  let at = path;
  let folder: OpenFolder | undefined;
  for (;;) {
    try {
      folder = await openFolder(at, { granted, entry: ahead() });
      break;
    } catch (error) {
      if (errorCode(error) !== "ENOENT" || at === dirname(at)) throw error;
      missing.push(basename(at));
      at = dirname(at);
    }
  }
  for (let name = missing.pop(); name !== undefined && folder !== undefined; name = missing.pop()) {
    await using parent = folder;
    await mkdir(parent.at(name)).catch((error: unknown) => {
      if (errorCode(error) !== "EEXIST") throw error;
    });
    await parent.sync();
    folder = await judged(await open(parent.at(name), flags), join(parent.path, name), {
      granted,
      entry: ahead(),
    });
  }
  return folder;
}

async function judged(
  handle: FileHandle,
  path: string,
  { granted, entry = "" }: OpenFolderOptions,
): Promise<OpenFolder | undefined> {
  try {
    const real = await pathOfHandle(handle, path);
    if (await granted.allowsReal(join(real, entry))) return new OpenFolder(handle, real);
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return undefined;
}

export async function listFolder(
  path: string,
  granted: GrantedPaths,
  { cwd, maxEntries, signal }: ListFolderOptions,
): Promise<FolderList> {
  const found = await findGranted(path, cwd, granted);
  if (found.kind === "missing") return { kind: "absent", reason: "not-found" };
  if (found.kind === "absent") return folderAbsence(found);
  try {
    await using folder = await openFolder(found.path, { granted });
    if (folder === undefined) return { kind: "absent", reason: "denied" };
    const names = sortedByBytes(await readdir(folder.at(".")));
    const entries: FolderEntry[] = [];
    let hidden = 0;
    for (const name of names.slice(0, maxEntries)) {
      if (signal?.aborted === true) return { kind: "absent", reason: "failed", detail: "stopped" };
      const entry = await entryOf(folder, name, granted);
      if (entry === undefined) hidden += 1;
      else entries.push(entry);
    }
    return { kind: "listed", entries, leftOut: names.length - entries.length - hidden, path: folder.path };
  } catch (error) {
    if (errorCode(error) === "ENOTDIR") return { kind: "absent", reason: "not-a-folder" };
    return folderAbsence(fileAbsence(error));
  }
}

async function entryOf(folder: OpenFolder, name: string, granted: GrantedPaths): Promise<FolderEntry | undefined> {
  let stats: Stats;
  try {
    stats = await lstat(folder.at(name));
  } catch {
    return { name, kind: "other", sizeBytes: 0, modifiedAtMs: 0 };
  }
  if (!granted.shows(stats)) return undefined;
  const { mtimeMs: modifiedAtMs } = stats;
  if (stats.isFile()) return { name, kind: "file", sizeBytes: stats.size, modifiedAtMs };
  const kind = stats.isDirectory() ? "folder" : stats.isSymbolicLink() ? "link" : "other";
  return { name, kind, sizeBytes: 0, modifiedAtMs };
}

export function folderAbsence({ reason, detail }: FileAbsence): Extract<FolderList, { kind: "absent" }> {
  const why = reason === "not-a-file" ? "not-a-folder" : reason;
  return { kind: "absent", reason: why, ...(detail === undefined ? {} : { detail }) };
}

export function sortedByBytes(names: readonly string[]): readonly string[] {
  const known = names.map((name) => ({ name, bytes: Buffer.from(name) }));
  return known.toSorted((a, b) => Buffer.compare(a.bytes, b.bytes)).map(({ name }) => name);
}
