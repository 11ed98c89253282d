import type { FileSystem } from "@incipit/kernel";
import type { ToolCall } from "./define-tool.ts";
import { IgnoredPaths, isVersionControl } from "./ignored-paths.ts";
import { fileTimeoutMs, maxEntries, maxGitignoreBytes } from "./limits.ts";
import { yieldToEventLoop, Pace } from "./pace.ts";
import { textOf } from "./workspace-file.ts";

/** Cost of one entry in `Pace`, which decides when to yield: each entry is matched against all ignore rules. */
const entryShare = 0.1;

export interface FoundFile {
  readonly path: string;
  readonly sizeBytes?: number;
  readonly modifiedAtMs?: number;
}

export interface WalkOptions {
  readonly call: ToolCall;
  readonly withIgnored: boolean;
  readonly mayHold: (folder: string) => boolean;
  readonly onUnreadable: () => void;
}

/** Yields the files below a folder, in path order. Does not follow links. */
export async function* walkFiles(
  fs: FileSystem,
  root: string,
  { call, withIgnored, mayHold, onUnreadable }: WalkOptions,
): AsyncGenerator<FoundFile, void> {
  interface Ahead {
    readonly folder: string;
    readonly above?: IgnoredPaths;
  }
  const pace = new Pace();
  const ahead: (Ahead | FoundFile)[] = [{ folder: "" }];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    call.signal.throwIfAborted();
    if ("path" in next) {
      yield next;
      continue;
    }
    const { folder } = next;
    const listed = await fs.list(`${root}/${folder}`, { ...call, maxEntries, timeoutMs: fileTimeoutMs });
    call.signal.throwIfAborted();
    if (listed.kind === "absent" || listed.leftOut > 0) onUnreadable();
    if (listed.kind === "absent") continue;
    const hasRules =
      !withIgnored && listed.entries.some(({ name, kind }) => name === ".gitignore" && kind === "file");
    const rules = hasRules ? await rulesAt(fs, `${root}/${folder}.gitignore`, call) : undefined;
    const ignored = new IgnoredPaths(rules, next);
    const leaves = (path: string, name: string): boolean =>
      withIgnored ? isVersionControl(path, name) : ignored.has(path, name);
    // Reversed, since entries are popped from the end.
    for (const { name, kind, ...facts } of listed.entries.toReversed()) {
      if (pace.isTurnOfOthers(entryShare)) await yieldToEventLoop(call.signal);
      const path = `${folder}${name}`;
      const inside = `${path}/`;
      if (kind === "folder" && !leaves(inside, name) && mayHold(inside))
        ahead.push({ folder: inside, above: ignored });
      if (kind === "file" && !leaves(path, name)) ahead.push({ path, ...facts });
    }
  }
}

async function rulesAt(fs: FileSystem, path: string, call: ToolCall): Promise<string | undefined> {
  const file = await fs.readFile(path, { ...call, maxBytes: maxGitignoreBytes, timeoutMs: fileTimeoutMs });
  return file.kind === "read" ? textOf(file.bytes) : undefined;
}
