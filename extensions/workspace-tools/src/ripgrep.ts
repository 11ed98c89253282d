import type { Spawn } from "@incipit/kernel";

const maxOutputBytes = 16_777_216;

/** Ignores configuration files and does not follow links. */
const settings = [
  "--no-config",
  "--color=never",
  "--no-messages",
  "--hidden",
  "--no-follow",
  "--encoding=none",
  "--null",
  "--glob=!.git/",
];
/** As in a walk: only `.gitignore` files from the root down. */
const rules = [
  "--no-ignore-dot",
  "--no-ignore-exclude",
  "--no-ignore-global",
  "--no-ignore-parent",
  "--no-require-git",
  "--glob=!node_modules/",
];

export interface RipgrepOptions {
  readonly root: string;
  readonly withIgnored: boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface RipgrepFiles {
  readonly paths: readonly string[];
  readonly end: "all" | "late" | "too-many";
  readonly hasUnreadable: boolean;
}

export async function ripgrepFiles(
  spawn: Spawn,
  args: readonly string[],
  { root, withIgnored, timeoutMs, signal }: RipgrepOptions,
): Promise<RipgrepFiles | undefined> {
  const ignoring = withIgnored ? ["--no-ignore"] : rules;
  const result = await spawn.run("rg", [...settings, ...ignoring, ...args, "--", "."], {
    cwd: root,
    maxOutputBytes,
    overflow: "drop",
    timeoutMs,
    signal,
  });
  signal.throwIfAborted();
  const isLate = result.kind === "failed" && result.reason === "timeout";
  if (result.kind === "failed" && !isLate) return undefined;
  const { stdout = new Uint8Array(), stderr = new Uint8Array() } = result;
  // 0: found; 1: nothing found; 2: a file was unreadable, or an argument is invalid, in which case there is no output.
  const exitCode = result.kind === "exited" ? result.exitCode : 0;
  if (exitCode > 2 || (exitCode === 2 && stderr.length > 0)) return undefined;
  const names = new TextDecoder().decode(stdout).split("\0");
  names.pop();
  const end = isLate ? "late" : result.droppedBytes === undefined ? "all" : "too-many";
  return {
    paths: inPathOrder(names.map((name) => name.replace(/^\.\//, ""))),
    end,
    hasUnreadable: exitCode === 2,
  };
}

/** Folder by folder, names by UTF-8 bytes. A slash sorts before every other character. */
function inPathOrder(paths: readonly string[]): readonly string[] {
  const known = paths.map((path) => ({ path, key: Buffer.from(path.replaceAll("/", "\0")) }));
  return known.toSorted((a, b) => Buffer.compare(a.key, b.key)).map(({ path }) => path);
}
