import { readFileSync } from "node:fs";
import type { Stage } from "../screen/stage.ts";

/** Nothing that could stop the process has done so by then, such as where no shell has jobs. */
const stopsWithinMs = 300;

/** Sends a signal to the job of this process, with what is in a pipe with it. */
type StopJob = () => void;

const stopJob: StopJob = () => process.kill(0, "SIGTSTP");

interface ScreenLeaseOptions {
  /** Resolves once the terminal has answered what it was asked: the next program would read an answer as keys. */
  readonly answered: () => Promise<void>;
  readonly stopJob?: StopJob;
}

/**
 * Holds the screen, and gives it away for a while: to a program, or to the shell that stops the process. The terminal is as it was
 * found while another one has it.
 */
export class ScreenLease {
  readonly #stage: Stage;
  readonly #answered: () => Promise<void>;
  readonly #stopJob: StopJob;
  readonly #onContinue = (): void => this.#continue();
  #isHeld = false;

  constructor(stage: Stage, options: ScreenLeaseOptions) {
    this.#stage = stage;
    this.#answered = options.answered;
    this.#stopJob = options.stopJob ?? stopJob;
    if (process.platform !== "win32") stage.setSuspendSignalHandler(() => void this.suspend());
  }

  take(): void {
    if (this.#isHeld) return;
    this.#isHeld = true;
    if (process.platform !== "win32") process.on("SIGCONT", this.#onContinue);
    this.#stage.start();
    this.#stage.requestRender(true); // A frame that waited when it was given back never comes by itself.
  }

  giveBack(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    process.off("SIGCONT", this.#onContinue);
    this.#stage.stop();
  }

  /** Gives the screen away until a program has ended. */
  async lend<Result>(program: () => Promise<Result>): Promise<Result> {
    await this.#answered();
    this.giveBack();
    try {
      return await program();
    } finally {
      this.take();
    }
  }

  /** Ctrl-Z, or SIGTSTP: gives the terminal to the shell until the process is continued. Windows: nothing. */
  async suspend(): Promise<void> {
    if (process.platform === "win32" || !this.#isHeld) return;
    await this.#answered();
    if (!this.#isHeld) return; // Asked twice.
    this.giveBack();
    const goOn = (): void => {
      clearTimeout(timer);
      process.off("SIGCONT", goOn);
      this.take();
    };
    const timer = setTimeout(goOn, stopsWithinMs);
    process.on("SIGCONT", goOn);
    this.#stopJob();
  }

  /** It was stopped by SIGSTOP: the modes are those of the shell, which has written to the screen. */
  #continue(): void {
    if (!isWithoutShell()) this.#stage.forget();
    this.#stage.stop();
    this.#stage.start();
    this.#stage.requestRender(true);
  }
}

/** Whether the terminal is this process's own: no shell writes to it while the process is stopped. Where it is not known, one does. */
function isWithoutShell(): boolean {
  try {
    // https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: the sixth field is the session, named after its first process.
    const [, , , session] = readFileSync("/proc/self/stat", "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return Number(session) === process.pid;
  } catch {
    return false;
  }
}
