import { setNewest } from "@incipit/common/channels";
import type { Clock, Log } from "@incipit/kernel";
import type { BotClient } from "./bot-client.ts";
import { placeOf } from "./chat-id.ts";
import { formatMarkdown } from "./format-markdown.ts";
import { entitiesOf, inThread, maxTextLength } from "./sending.ts";

/** Telegram shows the typing indicator for five seconds. */
const draftMs = 1_000;
const typingMs = 4_000;
const timeoutMs = 10_000;
const maxChats = 1_000;
const maxDraftId = 2_147_483_647;

interface Shown {
  readonly draftId: number;
  isOpen: boolean;
  nextMs: number;
}

export class Progress {
  readonly #client: BotClient;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #chats = new Map<string, Shown>();
  #lastDraftId: number;
  #hasDrafts = true;
  #notBeforeMs = 0;

  constructor(options: { readonly client: BotClient; readonly clock: Clock; readonly log: Log }) {
    this.#client = options.client;
    this.#clock = options.clock;
    this.#log = options.log;
    // Drafts of different hosts must differ.
    this.#lastDraftId = options.clock.now() % maxDraftId;
  }

  /** Never rejects; calls that come too soon are ignored. */
  async show(chatId: string, markdown: string, signal: AbortSignal): Promise<void> {
    const place = placeOf(chatId);
    const now = this.#clock.now();
    const shown = this.#shownIn(chatId);
    if (place === undefined || shown.isOpen || now < Math.max(shown.nextMs, this.#notBeforeMs)) return;
    const isDraft = this.#hasDrafts && place.chatId > 0;
    shown.isOpen = true;
    shown.nextMs = now + (isDraft ? draftMs : typingMs);
    const more = inThread(place.threadId);
    try {
      await this.#client.within(timeoutMs, signal, async (api) => {
        if (!isDraft) return api.sendChatAction(place.chatId, "typing", more);
        const { text, entities } = draftOf(markdown);
        const form = { ...more, ...entitiesOf(entities), can_stop: true };
        return api.sendMessageDraft(place.chatId, shown.draftId, text, form);
      });
    } catch (error) {
      if (signal.aborted) return;
      const failure = this.#client.failureOf(error);
      if (failure.kind === "refused" && failure.retryAfterMs !== undefined)
        this.#notBeforeMs = this.#clock.now() + failure.retryAfterMs;
      if (failure.kind === "refused" && failure.status === 404 && isDraft) this.#hasDrafts = false;
      // The message itself follows and reports any error.
      this.#log.debug("Failed to show the progress of a reply", { reason: failure.why });
    } finally {
      shown.isOpen = false;
    }
  }

  end(chatId: string): void {
    this.#chats.delete(chatId);
  }

  /** Drafts of earlier hosts count as current. */
  isPast(chatId: string, draftId: number): boolean {
    const shown = this.#chats.get(chatId);
    return shown !== undefined && shown.draftId !== draftId;
  }

  #shownIn(chatId: string): Shown {
    this.#lastDraftId = (this.#lastDraftId % maxDraftId) + 1;
    const shown = this.#chats.get(chatId) ?? { draftId: this.#lastDraftId, isOpen: false, nextMs: 0 };
    setNewest(this.#chats, chatId, shown, maxChats);
    return shown;
  }
}

/** Formats an unfinished reply; the model is still writing its end. */
function draftOf(markdown: string): ReturnType<typeof formatMarkdown> {
  const end = markdown.length > maxTextLength ? markdown.slice(-maxTextLength / 2) : markdown;
  const formatted = formatMarkdown(end);
  return formatted.text.length > maxTextLength ? { text: "", entities: [] } : formatted;
}
