import type { ProgramStart, RunningProgram, SpawnResult } from "../contract/capabilities.ts";
import { LinkedSignal } from "../time/linked-signal.ts";
import type { Scope } from "../time/scope.ts";

export class RunningPrograms {
  readonly #running = new Set<RunningProgram>();
  readonly #runs = new Set<Promise<unknown>>();
  readonly #over = new AbortController();

  constructor(scope: Pick<Scope, "defer">) {
    scope.defer("programs", async () => {
      this.#over.abort();
      await Promise.allSettled([...[...this.#running].map((program) => program.stop()), ...this.#runs]);
    });
  }

  /** Stops the program immediately after the activation. */
  async keep(start: ProgramStart): Promise<ProgramStart> {
    if (start.kind === "failed") return start;
    const { program } = start;
    if (this.#over.signal.aborted) {
      await program.stop();
      return { kind: "failed", reason: "failed", detail: "its extension was unloaded" };
    }
    this.#running.add(program);
    void program.ended.then(() => this.#running.delete(program));
    return start;
  }

  /** `run` must stop its program when its signal aborts. */
  async run(
    run: (signal: AbortSignal) => Promise<SpawnResult>,
    signal: AbortSignal | undefined,
  ): Promise<SpawnResult> {
    using linked = new LinkedSignal(signal, this.#over.signal);
    const running = run(linked.signal);
    this.#runs.add(running);
    try {
      return await running;
    } finally {
      this.#runs.delete(running);
    }
  }
}
