import { DeadlineError, errorMessage, withDeadline } from "@incipit/kernel";
import type { ChannelContext } from "./chats-context.ts";

const paceMs = 1_000;
const endTimeoutMs = 5_000;

/** On change, at most once a second, never concurrently, and never after the reply. */
export class Progress {
  readonly #context: ChannelContext;
  readonly #chatId: string;
  readonly #ended = new AbortController();
  #shownMs = -Infinity;
  #showing: Promise<void> | undefined;

  constructor(context: ChannelContext, chatId: string) {
    this.#context = context;
    this.#chatId = chatId;
  }

  show(markdown: string): void {
    const { channel, clock, log } = this.#context;
    const nowMs = clock.now();
    if (channel.showProgress === undefined || this.#showing !== undefined || nowMs - this.#shownMs < paceMs) return;
    this.#shownMs = nowMs;
    const show = async (): Promise<void> => channel.showProgress?.(this.#chatId, markdown, this.#ended.signal);
    this.#showing = show()
      .catch((error: unknown) => {
        if (this.#ended.signal.aborted) return;
        log.debug("Failed to show the progress of a reply", { error: errorMessage(error) });
      })
      .finally(() => (this.#showing = undefined));
  }

  async end(): Promise<void> {
    this.#ended.abort();
    const showing = this.#showing;
    if (showing === undefined) return;
    try {
      await withDeadline(() => showing, { timeoutMs: endTimeoutMs, clock: this.#context.clock });
    } catch (error) {
      if (!(error instanceof DeadlineError)) throw error;
      this.#context.log.warn("A channel did not stop showing the progress of a reply", {
        channel: this.#context.channel.id,
      });
    }
  }
}
