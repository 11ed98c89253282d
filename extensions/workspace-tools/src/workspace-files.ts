import type { FileSystem } from "@incipit/kernel";
import type { WorkspaceFileOptions, WorkspaceFiles } from "@incipit/service-contract";
import { dirname, sep } from "node:path";
import { fileDiff } from "./file-diff.ts";
import { fileTimeoutMs, maxFileBytes } from "./limits.ts";
import { explain, textOf } from "./workspace-file.ts";
import { reasonToAsk } from "./write-place.ts";

export function workspaceFiles(fs: FileSystem): WorkspaceFiles {
  return {
    async read(path, options) {
      const { cwd, signal } = options;
      const waits = { cwd, signal, timeoutMs: fileTimeoutMs };
      const place = await fs.locate(path, waits);
      if (place.kind === "refused") return { kind: "refused", why: explain(place) };
      if (place.path !== path) return { kind: "moved", why: `its path leads to "${place.path}" by now` };
      const file = await fs.readFile(path, { ...waits, maxBytes: maxFileBytes });
      if (file.kind === "absent" && file.reason === "not-found") {
        const missing = await missingFolders(fs, path, options);
        return { kind: "read", content: null, ...(missing.length === 0 ? {} : { missingFolders: missing }) };
      }
      if (file.kind === "absent" && file.reason === "not-a-file") return { kind: "moved", why: explain(file) };
      if (file.kind === "absent") return { kind: "refused", why: explain(file) };
      if (file.path !== path) return { kind: "moved", why: `its path leads to "${file.path}" by now` };
      return { kind: "read", content: file.bytes, ...(file.mode === undefined ? {} : { mode: file.mode }) };
    },
    async preview(path, { from, to }) {
      if (from === null) return to === null ? "It stays away" : `It is made again, with ${to.length} bytes`;
      if (to === null) return `It goes away, with its ${from.length} bytes`;
      const [before, after] = [textOf(from), textOf(to)];
      if (before === undefined || after === undefined)
        return `It is binary: ${from.length} bytes become ${to.length} bytes`;
      return fileDiff(path, { from: before, to: after });
    },
    reasonToAsk: (path, options) => reasonToAsk(fs, path, options),
    async replace(path, options) {
      const done = await replaceFile(fs, path, options);
      if (done.kind === "refused") return { kind: "refused", why: explain(done) };
      const removedFolders = done.kind === "removed" ? done.removedFolders : undefined;
      return { kind: "replaced", ...(removedFolders === undefined ? {} : { removedFolders }) };
    },
  };
}

async function replaceFile(
  fs: FileSystem,
  path: string,
  { from, to, mode, emptyFolders = [], cwd, signal }: Parameters<WorkspaceFiles["replace"]>[1],
): Promise<Awaited<ReturnType<FileSystem["writeFile"]>> | Awaited<ReturnType<FileSystem["removeFile"]>>> {
  const options = { cwd, signal, place: path, timeoutMs: fileTimeoutMs };
  if (to !== null) {
    const given = mode === undefined ? {} : { mode };
    return fs.writeFile(path, to, { ...options, expected: from, createFolders: true, ...given });
  }
  if (from === null) return { kind: "removed", path };
  return fs.removeFile(path, { ...options, expected: from, emptyFolders });
}

async function missingFolders(
  fs: FileSystem,
  path: string,
  { cwd, signal }: WorkspaceFileOptions,
): Promise<readonly string[]> {
  const options = { cwd, signal, timeoutMs: fileTimeoutMs };
  const root = await fs.locate(".", options);
  const missing: string[] = [];
  if (root.kind === "refused") return missing;
  for (let at = dirname(path); at.startsWith(root.path + sep); at = dirname(at)) {
    const folder = await fs.readFile(at, { ...options, maxBytes: 0 });
    if (folder.kind === "read" || folder.reason !== "not-found") break;
    missing.push(at);
  }
  return missing;
}
