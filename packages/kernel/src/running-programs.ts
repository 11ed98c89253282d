import type { ProgramStart, RunningProgram } from "./capabilities.ts";
import type { Scope } from "./scope.ts";

/** The programs that an activation has started: those that still run are stopped when it ends. */
export class RunningPrograms {
  readonly #running = new Set<RunningProgram>();
  #isOver = false;

  constructor(scope: Pick<Scope, "defer">) {
    scope.defer("programs", async () => {
      this.#isOver = true;
      await Promise.all([...this.#running].map((program) => program.stop()));
    });
  }

  /** Gives back what it was given; a program that came too late is stopped. */
  async keep(start: ProgramStart): Promise<ProgramStart> {
    if (start.kind === "failed") return start;
    const { program } = start;
    if (this.#isOver) {
      await program.stop();
      return { kind: "failed", reason: "failed", detail: "its extension was unloaded meanwhile" };
    }
    this.#running.add(program);
    void program.ended.then(() => this.#running.delete(program));
    return start;
  }
}
