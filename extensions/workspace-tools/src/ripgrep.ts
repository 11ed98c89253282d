import type { Spawn } from "@incipit/kernel";
import { inPathOrder } from "./path-order.ts";

/** Paths of so many bytes are taken of what it finds. */
const maxOutputBytes = 16_777_216;

/** Reads no configuration and follows no links. */
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
/** Leaves out what a walk does: of all files with rules, those of the folders from the root on count. */
const rules = [
  "--no-ignore-dot",
  "--no-ignore-exclude",
  "--no-ignore-global",
  "--no-ignore-parent",
  "--no-require-git",
  "--glob=!node_modules/",
];

export interface RipgrepOptions {
  /** Absolute, links followed. */
  readonly root: string;
  /** Also what is ignored, but for `.git`. */
  readonly withIgnored: boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface RipgrepFiles {
  /** From the root on, in the order of a walk. */
  readonly paths: readonly string[];
  /** All of them; or it was `late`; or there were `too-many`: the others are missing, whichever they are. */
  readonly end: "all" | "late" | "too-many";
  /** Whether there was something that it could not read. */
  readonly hasUnreadable: boolean;
}

/** Files of a folder that ripgrep names. `undefined`: it is not installed, or does not take these arguments. */
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
  // 0: found; 1: nothing found; 2: something could not be read, or an argument was wrong, and of that alone it speaks.
  const exitCode = result.kind === "exited" ? result.exitCode : 0;
  if (exitCode > 2 || (exitCode === 2 && stderr.length > 0)) return undefined;
  const names = new TextDecoder().decode(stdout).split("\0");
  names.pop(); // Behind the last NUL is nothing, or half of a name.
  const end = isLate ? "late" : result.droppedBytes === undefined ? "all" : "too-many";
  return {
    paths: inPathOrder(names.map((name) => name.replace(/^\.\//, ""))),
    end,
    hasUnreadable: exitCode === 2,
  };
}
