import { defineExtension, waitUnlessAborted, type Clock, type Extension } from "@incipit/kernel";
import {
  channelsPoint,
  type Channel,
  type ChannelChat,
  type ChannelDelivery,
  type ChannelInbox,
  type ChannelMessage,
  type ChannelPerson,
  type ChannelSettings,
  type ChannelUpdate,
} from "@incipit/service-contract";
import { splitLines } from "./split-lines.ts";

export interface TestServiceOptions {
  /** As the channel is called; `test` when absent. */
  readonly id?: string;
  /** In place of: nobody may talk. */
  readonly settings?: Partial<ChannelSettings>;
  /** Characters of one message; 4,000 when absent. */
  readonly maxLength?: number;
  readonly maxFileBytes?: Channel["maxFileBytes"];
}

export interface SentMessage {
  readonly chatId: string;
  readonly message: ChannelMessage;
}

/** Whatever a service may do with a message; `sent` is what it does when nobody says so. */
export type Deliver = (sent: SentMessage, signal: AbortSignal) => ChannelDelivery | Promise<ChannelDelivery>;

interface Connection {
  readonly inbox: ChannelInbox;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

const retryMs = 1_000;

/**
 * A service on which people write, in memory, and the channel to it. It outlives the hosts that connect to it: what a host has not
 * confirmed it gives to the next one, as services do, and it keeps what it was sent.
 */
export class TestService {
  /** What has come to people, in order. */
  readonly sent: SentMessage[] = [];
  /** What was shown of replies under way. */
  readonly progress: { readonly chatId: string; readonly markdown: string; readonly atMs: number }[] = [];
  /** What those who have pressed a button were told, in order. */
  readonly answers: string[] = [];
  /** Gives each update twice. */
  givesTwice = false;
  /** What becomes of a message that comes here. */
  deliver: Deliver = () => ({ kind: "sent", messageId: `${this.sent.length}` });
  readonly #options: TestServiceOptions;
  readonly #unconfirmed = new Map<string, ChannelUpdate[]>();
  #connection: Connection | undefined;
  #nextUpdate = 1;
  #changed = Promise.withResolvers<void>();

  constructor(options: TestServiceOptions = {}) {
    this.#options = options;
  }

  /** The texts that have come to a chat, or to all of them. */
  texts(chatId?: string): readonly string[] {
    return this.sent.flatMap((sent) =>
      sent.message.kind === "text" && (chatId === undefined || sent.chatId === chatId) ? [sent.message.text] : [],
    );
  }

  /** Somebody writes; gives the id of the message. */
  say(
    text: string,
    from: { readonly chat?: Partial<ChannelChat>; readonly sender?: Partial<ChannelPerson> } = {},
  ): string {
    const messageId = `m${this.#nextUpdate}`;
    this.give({ kind: "message", messageId, text, files: [], isAddressed: true, quoted: undefined }, from);
    return messageId;
  }

  /** Something happens; who does it is Ada, in her own chat, unless it is said. */
  give(
    happened: WithoutBase<ChannelUpdate>,
    from: { readonly chat?: Partial<ChannelChat>; readonly sender?: Partial<ChannelPerson> } = {},
  ): void {
    const sender = { id: "ada", name: "Ada", ...from.sender };
    const chat = { id: sender.id, kind: "private", title: sender.name, ...from.chat } as const;
    const update: ChannelUpdate = { ...happened, updateId: `u${this.#nextUpdate}`, chat, sender };
    this.#nextUpdate += 1;
    const queue = this.#unconfirmed.get(chat.id);
    if (queue !== undefined) queue.push(update);
    else {
      this.#unconfirmed.set(chat.id, [update]);
      if (this.#connection !== undefined) void this.#pump(chat.id, this.#connection);
    }
  }

  /** Updates that no host has confirmed. */
  get unconfirmed(): number {
    return [...this.#unconfirmed.values()].flat().length;
  }

  /** Resolves once it is so; looked at whenever something has come or was confirmed. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await this.#changed.promise;
  }

  /** A channel to it, as an extension of its own; each host gets another one. */
  extension(): Extension {
    const { id = "test" } = this.#options;
    return defineExtension(
      { id: `channel-${id}`, version: "1.0.0", api: "^1", contributes: ["channels@1"] },
      (host) => host.contribute(channelsPoint, this.channel(host.clock)),
    );
  }

  channel(clock: Clock): Channel {
    const { id = "test", settings, maxLength = 4_000, maxFileBytes = { in: 1_000, out: 1_000 } } = this.#options;
    return {
      id,
      settings: {
        people: [],
        groups: [],
        model: undefined,
        profile: undefined,
        cwd: undefined,
        approvers: undefined,
        ...settings,
      },
      maxFileBytes,
      run: (inbox, signal) => this.#run({ inbox, signal, clock }),
      split: (markdown) => splitLines(markdown, maxLength),
      send: async (chatId, message, signal) => {
        signal.throwIfAborted();
        const sent = { chatId, message };
        const delivery = await this.deliver(sent, signal);
        if (delivery.kind === "sent") this.sent.push(sent);
        this.#change();
        return delivery;
      },
      showProgress: async (chatId, markdown) => {
        this.progress.push({ chatId, markdown, atMs: clock.now() });
        this.#change();
      },
    };
  }

  async #run(connection: Connection): Promise<void> {
    const { signal, inbox } = connection;
    this.#connection = connection;
    inbox.report({ kind: "up", account: "@test" });
    for (const chatId of this.#unconfirmed.keys()) void this.#pump(chatId, connection);
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });
    if (this.#connection === connection) this.#connection = undefined;
  }

  /** Gives what is there of a chat, one after the other, until it is confirmed. */
  async #pump(chatId: string, { inbox, signal, clock }: Connection): Promise<void> {
    for (let update = this.#first(chatId); update !== undefined; update = this.#first(chatId)) {
      try {
        const { answer } = await inbox.receive(update);
        if (this.givesTwice) await inbox.receive(update);
        if (signal.aborted) return;
        if (answer !== undefined) this.answers.push(answer);
        this.#confirm(chatId);
      } catch {
        await waitUnlessAborted(retryMs, clock, signal); // It could not be stored: it is given again.
        if (signal.aborted) return;
      }
    }
  }

  #first(chatId: string): ChannelUpdate | undefined {
    return this.#unconfirmed.get(chatId)?.[0];
  }

  #confirm(chatId: string): void {
    const queue = this.#unconfirmed.get(chatId);
    queue?.shift();
    if (queue?.length === 0) this.#unconfirmed.delete(chatId);
    this.#change();
  }

  #change(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}

type WithoutBase<Update> = Update extends ChannelUpdate ? Omit<Update, "updateId" | "chat" | "sender"> : never;
