import { setNewest } from "@incipit/common/channels";
import { errorMessage, type Clock, type Log } from "@incipit/kernel";
import { placeOf } from "./chat-id.ts";
import type { Places } from "./places.ts";
import type { RestClient } from "./rest-client.ts";

/** https://docs.discord.com/developers/resources/channel#trigger-typing-indicator: shown for ten seconds. */
const typingMs = 8_000;
const timeoutMs = 10_000;
const maxChats = 1_000;

export interface TypingOptions {
  readonly rest: RestClient;
  readonly places: Places;
  readonly clock: Clock;
  readonly log: Log;
}

/** Streaming text would need repeated message edits, which Discord limits. */
export class Typing {
  readonly #options: TypingOptions;
  readonly #nextMs = new Map<string, number>();

  constructor(options: TypingOptions) {
    this.#options = options;
  }

  /** Never rejects; calls that come too soon are ignored. */
  async show(chatId: string, signal: AbortSignal): Promise<void> {
    const { rest, places, clock, log } = this.#options;
    const place = placeOf(chatId);
    const nowMs = clock.now();
    if (place === undefined || nowMs < (this.#nextMs.get(chatId) ?? 0)) return;
    setNewest(this.#nextMs, chatId, nowMs + typingMs, maxChats);
    try {
      const channelId =
        place.kind === "private" ? await places.privateChannel(place.userId, signal) : place.channelId;
      await rest.call({ method: "POST", path: `/channels/${channelId}/typing` }, { timeoutMs, signal });
    } catch (error) {
      // The message itself follows and reports any error.
      if (!signal.aborted) log.debug("Failed to show the typing indicator", { reason: errorMessage(error) });
    }
  }

  end(chatId: string): void {
    this.#nextMs.delete(chatId);
  }
}
