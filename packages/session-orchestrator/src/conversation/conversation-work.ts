import type { TurnId } from "@incipit/schema";

interface Running {
  readonly turnId: TurnId | undefined;
  readonly stop: AbortController;
}

/** Serializes turns, compactions and prompt rebuilds of a conversation. */
export class ConversationWork {
  #count = 0;
  #last: Promise<unknown> = Promise.resolve();
  #running: (Running & { readonly ended: Promise<void> }) | undefined;
  #compaction: Promise<unknown> | undefined;
  #isClosed = false;

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

  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(): void {
    this.#isClosed = true;
  }

  reopen(): void {
    this.#isClosed = false;
  }

  /** A failed job does not stop the next. */
  enqueue<Result>(job: () => Promise<Result>): Promise<Result> {
    this.#count += 1;
    const run = this.#last.then(job).finally(() => (this.#count -= 1));
    this.#last = run.catch(() => undefined); // The caller receives the error.
    return run;
  }

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

  /** Returns whether any work was running. Queued work continues. */
  async stop(reason?: unknown): Promise<boolean> {
    const running = this.#running;
    running?.stop.abort(reason);
    await running?.ended;
    return running !== undefined;
  }

  async ended(): Promise<void> {
    await this.#last;
  }

  async compacted(): Promise<void> {
    await this.#compaction;
  }
}
