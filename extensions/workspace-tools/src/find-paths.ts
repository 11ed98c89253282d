import type { FileSystem, Spawn } from "@incipit/kernel";
import type { ToolCall } from "./define-tool.ts";
import { KeptPaths } from "./kept-paths.ts";
import { ripgrepFiles } from "./ripgrep.ts";
import { walkFiles, type FoundFile } from "./walk-files.ts";

/** How long ripgrep may take; what it has found by then is taken. */
const ripgrepTimeoutMs = 20_000;

export interface FindPathsOptions {
  readonly fs: FileSystem;
  readonly spawn: Spawn;
  readonly call: ToolCall;
  /** As the model names it. */
  readonly path: string;
  /** Where that leads, links followed. */
  readonly root: string;
  /** What ripgrep is asked for; absent: it is not asked. */
  readonly ripgrep: readonly string[] | undefined;
  /** Also what is ignored, but for the folders of version control. */
  readonly withIgnored?: boolean;
  /** Whether a folder may hold what is wanted, from the root on, with a slash at its end; absent: each may. */
  readonly mayHold?: (folder: string) => boolean;
  /** Whether a file is wanted, by its path from the root on: of one that is not, nobody looks whether it is ignored. Absent: each is. */
  readonly wants?: (path: string) => Promise<boolean>;
  readonly onUnreadable: () => void;
  /** Told when some are missing, in words for the model. */
  readonly onCut: (note: string) => void;
}

/**
 * Files below a folder, without what is ignored unless that is wanted, in the order of a walk. Where ripgrep is installed it says which ones may
 * be wanted; else all are walked through, and whoever takes them looks by himself. Either way they are names: what a file
 * holds is read through the grant.
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
