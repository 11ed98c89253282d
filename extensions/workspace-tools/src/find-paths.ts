import type { FileSystem, Spawn } from "@incipit/kernel";
import type { ToolCall } from "./define-tool.ts";
import { WalkablePaths } from "./walkable-paths.ts";
import { ripgrepFiles } from "./ripgrep.ts";
import { walkFiles, type FoundFile } from "./walk-files.ts";

/** Timeout of ripgrep, after which the output so far is used. */
const ripgrepTimeoutMs = 20_000;

export interface FindPathsOptions {
  readonly fs: FileSystem;
  readonly spawn: Spawn;
  readonly call: ToolCall;
  readonly path: string;
  readonly root: string;
  readonly ripgrep: readonly string[] | undefined;
  readonly withIgnored?: boolean;
  readonly mayHold?: (folder: string) => boolean;
  readonly wants?: (path: string) => Promise<boolean>;
  readonly onUnreadable: () => void;
  readonly onCut: (note: string) => void;
}

/** Ripgrep only selects candidates, which the caller filters; content is read through the grant. */
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
  const kept = new WalkablePaths(fs, root, call);
  for (const name of found.paths) {
    signal.throwIfAborted();
    if ((await wants(name)) && (withIgnored || (await kept.keeps(name)))) yield { path: name };
  }
}
