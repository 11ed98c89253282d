import type { FolderEntry, FolderList, ListFolderOptions } from "@incipit/kernel";
import type { Stats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { errorCode } from "../../failures/error-code.ts";
import { fileAbsence, type FileAbsence } from "./file-absence.ts";
import { findGranted } from "./find-granted.ts";
import type { GrantedPaths } from "./granted-paths.ts";
import { openFolder, type OpenFolder } from "./open-folder.ts";

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
