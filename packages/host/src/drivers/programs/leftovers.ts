import { readFileSync } from "node:fs";
import { startedPrograms } from "./started-programs.ts";
import type { Libc } from "./libc.ts";

// sys/prctl.h, sys/wait.h
const setChildSubreaper = 36;
const doNotHang = 1;
/** Gives up on processes that cannot be killed, such as one waiting for a disk. */
const deadlineMs = 2_000;

/**
 * While a program runs, it keeps its descendants (`launch.ts`); then they become children of this process. A child that
 * this process did not start is therefore a leftover, even outside the process group.
 */
export class Leftovers {
  readonly #libc: Libc;
  /**
   * `no-new-privileges` if programs are confined and this process is not; processes started by extensions directly lack
   * it.
   */
  readonly #mark: "no-new-privileges" | "session";

  private constructor(libc: Libc, mark: "no-new-privileges" | "session") {
    this.#libc = libc;
    this.#mark = mark;
  }

  static watch({ libc, isConfined }: { readonly libc: Libc; readonly isConfined: boolean }): Leftovers | undefined {
    if (libc.prctl(setChildSubreaper, 1, 0, 0, 0) !== 0) return undefined;
    const isMarked = isConfined && !hasNoNewPrivileges("self");
    return new Leftovers(libc, isMarked ? "no-new-privileges" : "session");
  }

  async end(): Promise<void> {
    const untilMs = performance.now() + deadlineMs;
    // In rounds: children of a leftover are reparented once it has ended.
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
    return sessionOf(pid) !== sessionOf(process.pid); // Each program leads its own session.
  }

  /** The pid cannot have been reused, since this process has not reaped it. */
  #kill(pid: number): void {
    try {
      process.kill(pid, "SIGKILL");
    } catch {}
    this.#libc.waitpid(pid, 0, doNotHang);
  }
}

function hasNoNewPrivileges(pid: number | "self"): boolean {
  return read(`/proc/${pid}/status`).includes("\nNoNewPrivs:\t1\n");
}

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
