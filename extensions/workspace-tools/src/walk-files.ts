import type { FileSystem } from "@incipit/kernel";
import type { ToolCall } from "./define-tool.ts";
import { IgnoredPaths } from "./ignored-paths.ts";
import { fileTimeoutMs, maxGitignoreBytes } from "./limits.ts";
import { letOthersIn, Pace } from "./pace.ts";
import { textOf } from "./workspace-file.ts";

/** Most entries of one folder: what goes beyond it is told of as something that could not be read. */
const maxEntries = 100_000;
/** Share of what is done at once that one entry takes: it is matched with all rules of the folders above it. */
const entryShare = 0.1;

export interface FoundFile {
  /** From where the walk began. */
  readonly path: string;
  /** Absent: nobody has looked. */
  readonly sizeBytes?: number;
}

export interface WalkOptions {
  readonly call: ToolCall;
  /** Told of each folder that is not walked through, or not to its end. */
  readonly onUnreadable: () => void;
}

/** Files below a folder, in the order of their paths, without what is ignored; links are not followed. */
export async function* walkFiles(
  fs: FileSystem,
  root: string,
  { call, onUnreadable }: WalkOptions,
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
    if (listed.kind === "absent" || listed.leftOut > 0) onUnreadable();
    if (listed.kind === "absent") continue;
    const hasRules = listed.entries.some(({ name, kind }) => name === ".gitignore" && kind === "file");
    const rules = hasRules ? await rulesAt(fs, `${root}/${folder}.gitignore`, call) : undefined;
    const ignored = new IgnoredPaths(rules, next);
    // The last entry first: what is ahead is taken from its end.
    for (const { name, kind, sizeBytes } of listed.entries.toReversed()) {
      if (pace.isTurnOfOthers(entryShare)) await letOthersIn(call.signal);
      const path = `${folder}${name}`;
      if (kind === "folder" && !ignored.has(`${path}/`, name)) ahead.push({ folder: `${path}/`, above: ignored });
      if (kind === "file" && !ignored.has(path, name)) ahead.push({ path, sizeBytes });
    }
  }
}

async function rulesAt(fs: FileSystem, path: string, call: ToolCall): Promise<string | undefined> {
  const file = await fs.readFile(path, { ...call, maxBytes: maxGitignoreBytes, timeoutMs: fileTimeoutMs });
  return file.kind === "read" ? textOf(file.bytes) : undefined;
}
