import { readFileSync } from "node:fs";
import type { Stage } from "../screen/stage.ts";

/** Afterwards nothing stops the process, for example without job control. */
const stopsWithinMs = 300;

/** Stops the process group, including other programs of a pipeline. */
type StopJob = () => void;

const stopJob: StopJob = () => process.kill(0, "SIGTSTP");

interface ScreenLeaseOptions {
  /** Another program would read a late reply as keys. */
  readonly answered: () => Promise<void>;
  readonly stopJob?: StopJob;
}

/** Releases the screen to a program, or to the shell on suspend; the terminal is then in its original state. */
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
    this.#stage.requestRender(true); // A pending frame is never drawn otherwise.
  }

  giveBack(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    process.off("SIGCONT", this.#onContinue);
    this.#stage.stop();
  }

  async lend<Result>(program: () => Promise<Result>): Promise<Result> {
    await this.#answered();
    this.giveBack();
    try {
      return await program();
    } finally {
      this.take();
    }
  }

  /** Does nothing on Windows. */
  async suspend(): Promise<void> {
    if (process.platform === "win32" || !this.#isHeld) return;
    await this.#answered();
    if (!this.#isHeld) return; // Another call was faster.
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

  /** After SIGSTOP the shell has changed the modes and written to the screen. */
  #continue(): void {
    if (!isWithoutShell()) this.#stage.forget();
    this.#stage.stop();
    this.#stage.start();
    this.#stage.requestRender(true);
  }
}

/** `false` if unknown. Without a shell nothing writes to the terminal while the process is stopped. */
function isWithoutShell(): boolean {
  try {
    // https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: the sixth field is the session id, the pid of its
    // leader.
    const [, , , session] = readFileSync("/proc/self/stat", "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return Number(session) === process.pid;
  } catch {
    return false;
  }
}
