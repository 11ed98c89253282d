import { readFileSync } from "node:fs";
import { startedPrograms } from "./started-programs.ts";
import type { Libc } from "./libc.ts";

// sys/prctl.h, sys/wait.h
const setChildSubreaper = 36;
const doNotHang = 1;
/** What cannot be killed, such as a process that waits for a disk, is left behind then; a busy machine takes a while to kill. */
const deadlineMs = 2_000;

/**
 * Ends what programs have left running, also what has left their process group: a program keeps its descendants while it
 * runs (`launch.ts`), and they become children of this process when it ends. So a child that nobody here has started is
 * a leftover of a program that has ended.
 */
export class Leftovers {
  readonly #libc: Libc;
  /** Whether programs are confined, and this process is not: what an extension starts by itself is not either. */
  readonly #mark: "no-new-privileges" | "session";

  private constructor(libc: Libc, mark: "no-new-privileges" | "session") {
    this.#libc = libc;
    this.#mark = mark;
  }

  /** `undefined`: this system does not hand them over. */
  static watch({ libc, isConfined }: { readonly libc: Libc; readonly isConfined: boolean }): Leftovers | undefined {
    if (libc.prctl(setChildSubreaper, 1, 0, 0, 0) !== 0) return undefined;
    const isMarked = isConfined && !hasNoNewPrivileges("self");
    return new Leftovers(libc, isMarked ? "no-new-privileges" : "session");
  }

  /** Resolves when nothing is left, which is at once where nothing was. */
  async end(): Promise<void> {
    const untilMs = performance.now() + deadlineMs;
    // In rounds: what one of them has started is handed over once that one has ended.
    for (let left = this.#find(); left.length > 0; left = this.#find()) {
      for (const pid of left) this.#kill(pid);
      if (performance.now() > untilMs) return;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }

  #find(): readonly number[] {
    const children = read(`/proc/self/task/${process.pid}/children`).split(" ").filter(Boolean).map(Number);
    return children.filter((pid) => !startedPrograms.has(pid) && this.#isLeftover(pid));
  }

  #isLeftover(pid: number): boolean {
    if (this.#mark === "no-new-privileges" && !hasNoNewPrivileges(pid)) return false;
    return sessionOf(pid) !== sessionOf(process.pid); // A program is started in a session of its own.
  }

  /** Its id cannot have become another's: it is this process that is to take leave of it. */
  #kill(pid: number): void {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
    this.#libc.waitpid(pid, 0, doNotHang);
  }
}

function hasNoNewPrivileges(pid: number | "self"): boolean {
  return read(`/proc/${pid}/status`).includes("\nNoNewPrivs:\t1\n");
}

/** `undefined`: it has gone. */
function sessionOf(pid: number): string | undefined {
  const stat = read(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[3];
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
