import { routes, type Client } from "@incipit/transport-contract";
import type { Output } from "../output/output.ts";

const sayAfterMs = 1_000;
/** A host that hangs, or whose disk is full, never ends a turn. */
const longestWaitMs = 10_000;

export interface TurnStopOptions {
  readonly client: Client;
  readonly conversationId: string;
  readonly output: Output;
}

/** An unresponsive host must not block the user. */
export class TurnStop implements Disposable {
  readonly #options: TurnStopOptions;
  readonly #givenUp = new AbortController();
  readonly #timers: ReturnType<typeof setTimeout>[] = [];

  constructor(options: TurnStopOptions) {
    this.#options = options;
  }

  get signal(): AbortSignal {
    return this.#givenUp.signal;
  }

  get hasGivenUp(): Promise<void> {
    const { signal } = this;
    return new Promise((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve());
    });
  }

  /** Idempotent: a first call may come before the turn has begun. */
  readonly ask = (): void => {
    const { client, conversationId: id, output } = this.#options;
    // A failure is harmless: the stream reports how the turn ended.
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
