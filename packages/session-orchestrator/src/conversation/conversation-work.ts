import type { TurnId } from "@incipit/schema";

/** What runs now, and what ends it. */
interface Running {
  /** `undefined`: a compaction that was asked for. */
  readonly turnId: TurnId | undefined;
  readonly stop: AbortController;
}

/** What is done in a conversation, one thing after the other: turns, compactions, rebuilds. */
export class ConversationWork {
  #count = 0;
  #last: Promise<unknown> = Promise.resolve();
  #running: (Running & { readonly ended: Promise<void> }) | undefined;
  #compaction: Promise<unknown> | undefined;
  #isClosed = false;

  /** Nothing runs, and nothing waits to. */
  get isIdle(): boolean {
    return this.#count === 0;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** The turn that runs. */
  get turnId(): TurnId | undefined {
    return this.#running?.turnId;
  }

  get isCompacting(): boolean {
    return this.#compaction !== undefined;
  }

  /** The conversation is being deleted: it takes nothing new, and what runs in it ends. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(): void {
    this.#isClosed = true;
  }

  /** Ends `close`. */
  reopen(): void {
    this.#isClosed = false;
  }

  /** Runs after everything that was asked for before; a failure of one job does not stop the next. */
  enqueue<Result>(job: () => Promise<Result>): Promise<Result> {
    this.#count += 1;
    const run = this.#last.then(job).finally(() => (this.#count -= 1));
    this.#last = run.catch(() => undefined); // Whoever asked for the job is told; the next one only waits.
    return run;
  }

  /** Marks what runs until it has ended. */
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

  /** Marks a compaction, in a turn or between two of them. */
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

  /** Ends what runs now, and gives whether anything did, once that is over; what waits follows. */
  async stop(reason?: unknown): Promise<boolean> {
    const running = this.#running;
    running?.stop.abort(reason);
    await running?.ended;
    return running !== undefined;
  }

  /** Resolves when all that was asked for until now is over. */
  async ended(): Promise<void> {
    await this.#last;
  }

  /** Resolves when no compaction is under way. */
  async compacted(): Promise<void> {
    await this.#compaction;
  }
}
