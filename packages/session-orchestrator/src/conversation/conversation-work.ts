import type { TurnId } from "@incipit/schema";

interface Running {
  /** `undefined`: a manual compaction. */
  readonly turnId: TurnId | undefined;
  readonly stop: AbortController;
}

/** Serializes the work of a conversation: turns, compactions, prompt rebuilds. */
export class ConversationWork {
  #count = 0;
  #last: Promise<unknown> = Promise.resolve();
  #running: (Running & { readonly ended: Promise<void> }) | undefined;
  #compaction: Promise<unknown> | undefined;
  #isClosed = false;

  /** Whether nothing runs or is queued. */
  get isIdle(): boolean {
    return this.#count === 0;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  get turnId(): TurnId | undefined {
    return this.#running?.turnId;
  }

  get isCompacting(): boolean {
    return this.#compaction !== undefined;
  }

  /** Whether the conversation is being deleted, and accepts no new work. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(): void {
    this.#isClosed = true;
  }

  /** Reverts `close`. */
  reopen(): void {
    this.#isClosed = false;
  }

  /** Runs a job after all earlier ones; a failed job does not stop the next. */
  enqueue<Result>(job: () => Promise<Result>): Promise<Result> {
    this.#count += 1;
    const run = this.#last.then(job).finally(() => (this.#count -= 1));
    this.#last = run.catch(() => undefined); // The caller receives the error.
    return run;
  }

  /** Tracks running work until it ends. */
  async run<Result>(running: Running, work: () => Promise<Result>): Promise<Result> {
    const over = Promise.withResolvers<void>();
    this.#running = { ...running, ended: over.promise };
    try {
      return await work();
    } finally {
      this.#running = undefined;
      over.resolve();
    }
  }

  /** Tracks a compaction, within a turn or between turns. */
  async compact<Result>(work: () => Promise<Result>): Promise<Result> {
    const over = Promise.withResolvers<void>();
    this.#compaction = over.promise;
    try {
      return await work();
    } finally {
      this.#compaction = undefined;
      over.resolve();
    }
  }

  /** Aborts the running work and waits for its end. Returns whether any was running. Queued work continues. */
  async stop(reason?: unknown): Promise<boolean> {
    const running = this.#running;
    running?.stop.abort(reason);
    await running?.ended;
    return running !== undefined;
  }

  /** Resolves when all work queued so far has ended. */
  async ended(): Promise<void> {
    await this.#last;
  }

  /** Resolves when no compaction is running. */
  async compacted(): Promise<void> {
    await this.#compaction;
  }
}
