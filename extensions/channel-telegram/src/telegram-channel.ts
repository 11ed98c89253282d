import { splitMarkdown } from "@incipit/common";
import { withoutTokenMs } from "@incipit/common/channels";
import { waitUnlessAborted, type Clock, type Log, type Net } from "@incipit/kernel";
import type {
  Channel,
  ChannelDelivery,
  ChannelInbox,
  ChannelMessage,
  ChannelSettings,
} from "@incipit/service-contract";
import { BotClient } from "./bot-client.ts";
import { Polling } from "./polling.ts";
import { Progress } from "./progress.ts";
import { maxTextLength, sendMessage } from "./sending.ts";
import { formatMarkdown } from "./format-markdown.ts";

export interface TelegramChannelOptions {
  readonly settings: ChannelSettings;
  /** A value that does not look like a token counts as unset. */
  readonly token: string | undefined;
  readonly tokenVariable: string;
  readonly root: string;
  readonly net: Net;
  readonly clock: Clock;
  readonly log: Log;
}

export class TelegramChannel implements Channel {
  readonly id = "telegram";
  readonly settings: ChannelSettings;
  /** https://core.telegram.org/bots/api#sending-files, https://core.telegram.org/bots/api#getfile */
  readonly maxFileBytes = { out: 52_428_800, in: 20_971_520 } as const;
  readonly #options: TelegramChannelOptions;
  readonly #client: BotClient | undefined;
  readonly #progress: Progress | undefined;

  constructor(options: TelegramChannelOptions) {
    this.settings = options.settings;
    this.#options = options;
    const { token = "", root, net, clock, log } = options;
    if (!/^\d+:[\w-]+$/.test(token.trim())) return;
    this.#client = new BotClient({ token: token.trim(), root, net, clock });
    this.#progress = new Progress({ client: this.#client, clock, log });
  }

  async run(inbox: ChannelInbox, signal: AbortSignal): Promise<void> {
    const { tokenVariable, clock, log } = this.#options;
    const client = this.#client;
    const isPastDraft = (chatId: string, draftId: number): boolean =>
      this.#progress?.isPast(chatId, draftId) ?? false;
    if (client !== undefined)
      return new Polling({ client, inbox, clock, log, signal, tokenVariable, isPastDraft }).run();
    inbox.report({ kind: "down", why: this.#withoutToken() });
    while (!signal.aborted) await waitUnlessAborted(withoutTokenMs, clock, signal);
  }

  split(markdown: string): readonly string[] {
    return splitMarkdown(markdown, { max: maxTextLength, lengthOf: (part) => formatMarkdown(part).text.length });
  }

  async send(chatId: string, message: ChannelMessage, signal: AbortSignal): Promise<ChannelDelivery> {
    if (this.#client === undefined) return { kind: "later", afterMs: withoutTokenMs, why: this.#withoutToken() };
    const delivery = await sendMessage(this.#client, message, { chatId, signal });
    this.#progress?.end(chatId);
    return delivery;
  }

  async showProgress(chatId: string, markdown: string, signal: AbortSignal): Promise<void> {
    await this.#progress?.show(chatId, markdown, signal);
  }

  #withoutToken(): string {
    return `The variable ${this.#options.tokenVariable} has no token: get one from @BotFather, set the variable and restart the host`;
  }
}
