import { routes, type Client } from "@incipit/transport-contract";
import type { Output } from "../output/output.ts";

/** A host that has not ended a turn by then may be busy; what is waited for is said. */
const sayAfterMs = 1_000;
/** A host that hangs, or whose disk is full, ends no turn. */
const longestWaitMs = 10_000;

export interface TurnStopOptions {
  readonly client: Client;
  readonly conversationId: string;
  readonly output: Output;
}

/** Has a turn stopped, and waits for its end no longer than a while: nobody is held by a host that does not answer. */
export class TurnStop implements Disposable {
  readonly #options: TurnStopOptions;
  readonly #givenUp = new AbortController();
  readonly #timers: ReturnType<typeof setTimeout>[] = [];

  constructor(options: TurnStopOptions) {
    this.#options = options;
  }

  /** Aborts when the end is not waited for any longer. */
  get signal(): AbortSignal {
    return this.#givenUp.signal;
  }

  /** Resolves when the end is not waited for any longer. */
  get hasGivenUp(): Promise<void> {
    const { signal } = this;
    return new Promise((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve());
    });
  }

  /** May be called again: it came before there was anything to stop. */
  readonly ask = (): void => {
    const { client, conversationId: id, output } = this.#options;
    // Nothing is lost when this fails: the stream tells how the turn ended.
    void client.call(routes.stopConversation, { params: { id }, signal: this.signal }).catch(() => undefined);
    if (this.#timers.length > 0) return;
    const seconds = longestWaitMs / 1_000;
    this.#timers.push(
      setTimeout(
        () => output.errLine(`Waiting up to ${seconds} s until the host has stopped it. Ctrl-C leaves at once`),
        sayAfterMs,
      ),
      setTimeout(() => this.#givenUp.abort(), longestWaitMs),
    );
  };

  [Symbol.dispose](): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }
}
