import type { FileSystem, Spawn } from "@incipit/kernel";
import type { ToolCall } from "./define-tool.ts";
import { KeptPaths } from "./kept-paths.ts";
import { ripgrepFiles } from "./ripgrep.ts";
import { walkFiles, type FoundFile } from "./walk-files.ts";

/** The output so far is used. */
const ripgrepTimeoutMs = 20_000;

export interface FindPathsOptions {
  readonly fs: FileSystem;
  readonly spawn: Spawn;
  readonly call: ToolCall;
  /** As the model wrote it. */
  readonly path: string;
  /** Links followed. */
  readonly root: string;
  /** Arguments for ripgrep; absent: do not use it. */
  readonly ripgrep: readonly string[] | undefined;
  /** Includes ignored files, except version control folders. */
  readonly withIgnored?: boolean;
  /** Relative to the root, with a trailing slash; absent: always. */
  readonly mayHold?: (folder: string) => boolean;
  /** Relative to the root; only matches are checked against ignore rules. Absent: all. */
  readonly wants?: (path: string) => Promise<boolean>;
  readonly onUnreadable: () => void;
  /** Files are missing; the note is for the model. */
  readonly onCut: (note: string) => void;
}

/**
 * In walk order, by default without ignored files. Where ripgrep is installed, it selects the candidates; otherwise
 * all files are walked, and the caller filters. Either way only names are returned: content is read through the
 * grant.
 */
export async function* findPaths(options: FindPathsOptions): AsyncGenerator<FoundFile, void> {
  const { fs, spawn, call, path, root, ripgrep, withIgnored = false, onUnreadable, onCut } = options;
  const { signal } = call;
  const { mayHold = () => true, wants = () => true } = options;
  const found =
    ripgrep === undefined
      ? undefined
      : await ripgrepFiles(spawn, ripgrep, { root, withIgnored, timeoutMs: ripgrepTimeoutMs, signal });
  if (found === undefined) {
    const walked = walkFiles(fs, path, { call, withIgnored, mayHold, onUnreadable });
    for await (const file of walked) if (await wants(file.path)) yield file;
    return;
  }
  if (found.hasUnreadable) onUnreadable();
  if (found.end === "late")
    onCut(
      `[cut: stopped after ${ripgrepTimeoutMs / 1_000} s, before all files were looked at; go on with a folder at a time]`,
    );
  if (found.end === "too-many")
    onCut("[cut: there are too many files; not all were looked at: go on with a folder at a time]");
  const kept = new KeptPaths(fs, root, call);
  for (const name of found.paths) {
    signal.throwIfAborted();
    if ((await wants(name)) && (withIgnored || (await kept.keeps(name)))) yield { path: name };
  }
}
