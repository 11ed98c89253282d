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

export interface TestServiceOptions {
  /** `test` by default. */
  readonly id?: string;
  /** By default no sender is authorized. */
  readonly settings?: Partial<ChannelSettings>;
  /** In characters; 4,000 by default. */
  readonly maxLength?: number;
  readonly maxFileBytes?: Channel["maxFileBytes"];
}

export interface SentMessage {
  readonly chatId: string;
  readonly message: ChannelMessage;
}

export type Deliver = (sent: SentMessage, signal: AbortSignal) => ChannelDelivery | Promise<ChannelDelivery>;

interface Connection {
  readonly inbox: ChannelInbox;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

const retryMs = 1_000;

/** An in-memory chat service with its channel. It outlives its hosts: unconfirmed updates go to the next one. */
export class TestService {
  readonly sent: SentMessage[] = [];
  readonly progress: { readonly chatId: string; readonly markdown: string; readonly atMs: number }[] = [];
  readonly answers: string[] = [];
  givesTwice = false;
  deliver: Deliver = () => ({ kind: "sent", messageId: `${this.sent.length}` });
  readonly #options: TestServiceOptions;
  readonly #unconfirmed = new Map<string, ChannelUpdate[]>();
  #connection: Connection | undefined;
  #nextUpdate = 1;
  #changed = Promise.withResolvers<void>();

  constructor(options: TestServiceOptions = {}) {
    this.#options = options;
  }

  texts(chatId?: string): readonly string[] {
    return this.sent.flatMap((sent) =>
      sent.message.kind === "text" && (chatId === undefined || sent.chatId === chatId) ? [sent.message.text] : [],
    );
  }

  /** Returns the message id. */
  say(
    text: string,
    from: { readonly chat?: Partial<ChannelChat>; readonly sender?: Partial<ChannelPerson> } = {},
  ): string {
    const messageId = `m${this.#nextUpdate}`;
    this.give({ kind: "message", messageId, text, files: [], isAddressed: true, quoted: undefined }, from);
    return messageId;
  }

  /** By default from Ada, in her private chat. */
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

  get unconfirmed(): number {
    return [...this.#unconfirmed.values()].flat().length;
  }

  /** Checked on each delivery and confirmation. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await this.#changed.promise;
  }

  /** Creates the extension of the channel, a new one for each host. */
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

  async #pump(chatId: string, { inbox, signal, clock }: Connection): Promise<void> {
    for (let update = this.#first(chatId); update !== undefined; update = this.#first(chatId)) {
      try {
        const { answer } = await inbox.receive(update);
        if (this.givesTwice) await inbox.receive(update);
        if (signal.aborted) return;
        if (answer !== undefined) this.answers.push(answer);
        this.#confirm(chatId);
      } catch {
        await waitUnlessAborted(retryMs, clock, signal); // The host could not store it.
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

/** Between lines where possible; a cut fence is closed and reopened. */
function splitLines(markdown: string, maxLength: number): readonly string[] {
  const parts: string[] = [];
  let part = "";
  let fence: string | undefined;
  const end = (): void => {
    const whole = fence === undefined ? part : `${part}\n${fence}`;
    if (part.trim() !== "" && part !== fence) parts.push(whole);
    part = fence ?? "";
  };
  const room = (): number => maxLength - (fence === undefined ? 0 : fence.length + 1) - (part === "" ? 0 : 1);
  for (const line of markdown.split("\n")) {
    const mark = /^(`{3,})/.exec(line)?.[1];
    for (const piece of piecesOf(line, maxLength - 20)) {
      if (part !== "" && part.length + piece.length > room()) end();
      part = part === "" ? piece : `${part}\n${piece}`;
    }
    if (mark !== undefined) fence = fence === undefined ? mark : undefined;
  }
  if (part.trim() !== "") parts.push(part);
  return parts;
}

/** Never splits a surrogate pair. */
function piecesOf(line: string, maxLength: number): readonly string[] {
  const pieces: string[] = [];
  let rest = line;
  while (rest.length > maxLength) {
    const end = /[\uD800-\uDBFF]$/.test(rest.slice(0, maxLength)) ? maxLength - 1 : maxLength;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...pieces, rest];
}
