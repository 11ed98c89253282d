import { splitMarkdown } from "@incipit/common";
import { withoutTokenMs } from "@incipit/common/channels";
import { waitUnlessAborted, type Clock, type Log, type Net, type Storage } from "@incipit/kernel";
import type {
  Channel,
  ChannelDelivery,
  ChannelInbox,
  ChannelMessage,
  ChannelSettings,
} from "@incipit/service-contract";
import { Places } from "./places.ts";
import { Receiving } from "./receiving.ts";
import { RestClient } from "./rest-client.ts";
import { maxTextLength, sendMessage } from "./sending.ts";
import { Typing } from "./typing.ts";

export interface DiscordChannelOptions {
  readonly settings: ChannelSettings;
  /** A value that does not look like a token counts as unset. */
  readonly token: string | undefined;
  readonly tokenVariable: string;
  readonly root: string;
  readonly storage: Storage;
  readonly net: Net;
  readonly clock: Clock;
  readonly log: Log;
}

interface Parts {
  readonly token: string;
  readonly rest: RestClient;
  readonly places: Places;
  readonly typing: Typing;
}

export class DiscordChannel implements Channel {
  readonly id = "discord";
  readonly settings: ChannelSettings;
  /** https://docs.discord.com/developers/reference#uploading-files; users may send more than the host reads. */
  readonly maxFileBytes = { out: 10_485_760, in: 20_971_520 } as const;
  readonly #options: DiscordChannelOptions;
  readonly #parts: Parts | undefined;

  constructor(options: DiscordChannelOptions) {
    this.settings = options.settings;
    this.#options = options;
    const { root, storage, net, clock, log } = options;
    const token = options.token?.trim() ?? "";
    if (!/^[\w-]+(?:\.[\w-]+){2}$/.test(token)) return;
    const rest = new RestClient({ token, root, net, clock });
    const places = new Places({ rest, storage, log });
    this.#parts = { token, rest, places, typing: new Typing({ rest, places, clock, log }) };
  }

  async run(inbox: ChannelInbox, signal: AbortSignal): Promise<void> {
    const { tokenVariable, settings, net, clock, log } = this.#options;
    if (this.#parts !== undefined) {
      const { token, rest, places } = this.#parts;
      const shared = { settings, net, clock, log, tokenVariable, token, rest, places };
      return new Receiving({ ...shared, inbox, signal }).run();
    }
    inbox.report({ kind: "down", why: this.#withoutToken() });
    while (!signal.aborted) await waitUnlessAborted(withoutTokenMs, clock, signal);
  }

  split(markdown: string): readonly string[] {
    return splitMarkdown(markdown, { max: maxTextLength });
  }

  async send(chatId: string, message: ChannelMessage, signal: AbortSignal): Promise<ChannelDelivery> {
    if (this.#parts === undefined) return { kind: "later", afterMs: withoutTokenMs, why: this.#withoutToken() };
    const { rest, places, typing } = this.#parts;
    const delivery = await sendMessage(rest, message, { chatId, places, clock: this.#options.clock, signal });
    typing.end(chatId);
    return delivery;
  }

  async showProgress(chatId: string, _markdown: string, signal: AbortSignal): Promise<void> {
    await this.#parts?.typing.show(chatId, signal);
  }

  #withoutToken(): string {
    return `The variable ${this.#options.tokenVariable} has no token: copy it from the bot's page at https://discord.com/developers/applications, set the variable and restart the host`;
  }
}
