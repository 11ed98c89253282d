import { DiscordRefusal } from "./discord-refusal.ts";

export interface DiscordUser {
  readonly id: string;
  readonly username: string;
  readonly discriminator: string;
  readonly global_name: string | null;
  readonly avatar: null;
  readonly bot?: true;
}

export interface DiscordGuild {
  readonly id: string;
  readonly name: string;
}

/** `1`: private chat, `0`: server channel, `11`: thread. */
export interface DiscordChannel {
  readonly id: string;
  readonly type: 0 | 1 | 11;
  readonly name?: string;
  readonly guild_id?: string;
  readonly parent_id?: string | null;
  readonly recipients?: readonly DiscordUser[];
}

export interface DiscordAttachment {
  readonly id: string;
  readonly filename: string;
  readonly size: number;
  readonly url: string;
  readonly proxy_url: string;
  readonly content_type?: string;
}

interface DiscordButton {
  readonly type: 2;
  readonly style: number;
  readonly label?: string;
  readonly custom_id?: string;
  readonly url?: string;
}

interface DiscordRow {
  readonly type: 1;
  readonly components: readonly DiscordButton[];
}

export interface DiscordContent {
  readonly content: string;
  readonly attachments?: readonly DiscordAttachment[];
  readonly components?: readonly DiscordRow[];
  readonly flags?: number;
  readonly nonce?: string | number;
  readonly answered?: DiscordMessage;
}

export interface DiscordMessage {
  readonly id: string;
  readonly channel_id: string;
  readonly author: DiscordUser;
  readonly content: string;
  readonly timestamp: string;
  readonly edited_timestamp: string | null;
  readonly tts: false;
  readonly mention_everyone: false;
  readonly mentions: readonly DiscordUser[];
  readonly mention_roles: readonly string[];
  readonly attachments: readonly DiscordAttachment[];
  readonly embeds: readonly unknown[];
  readonly components: readonly DiscordRow[];
  readonly pinned: false;
  /** `0`; `19` for a reply. */
  readonly type: 0 | 19;
  readonly flags: number;
  readonly nonce?: string | number;
  readonly message_reference?: {
    readonly type: 0;
    readonly message_id: string;
    readonly channel_id: string;
    readonly guild_id?: string;
  };
  readonly referenced_message?: DiscordMessage | null;
}

/** Discord's epoch: https://docs.discord.com/developers/reference#snowflakes */
const epochMs = 1_420_070_400_000;

export interface DiscordWorldOptions {
  readonly now: () => number;
  /** Without a trailing slash. */
  readonly filesUrl: () => string;
}

export class DiscordWorld {
  readonly bot: DiscordUser;
  readonly guilds: DiscordGuild[] = [];
  readonly #options: DiscordWorldOptions;
  readonly #channels = new Map<string, DiscordChannel>();
  readonly #messages = new Map<string, DiscordMessage[]>();
  readonly #refusals = new Map<string, DiscordRefusal>();
  readonly #users = new Map<string, DiscordUser>();
  readonly #files = new Map<string, Uint8Array<ArrayBuffer>>();
  #lastMs = 0;
  #count = 0;

  constructor(botName: string, options: DiscordWorldOptions) {
    this.#options = options;
    this.bot = { ...this.#newUser(botName), bot: true };
    this.#users.set(this.bot.id, this.bot);
  }

  /** Returns the next id; ids increase, and contain the current time. */
  nextId(): string {
    const nowMs = Math.max(this.#options.now(), this.#lastMs);
    this.#count = nowMs === this.#lastMs ? this.#count + 1 : 0;
    this.#lastMs = nowMs;
    return String((BigInt(nowMs - epochMs) << 22n) | BigInt(this.#count));
  }

  get channels(): readonly DiscordChannel[] {
    return [...this.#channels.values()];
  }

  addUser(name: string): DiscordUser {
    const user = this.#newUser(name);
    this.#users.set(user.id, user);
    return user;
  }

  addGuild(name: string): DiscordGuild {
    const guild = { id: this.nextId(), name };
    this.guilds.push(guild);
    return guild;
  }

  addChannel(channel: Omit<DiscordChannel, "id">): DiscordChannel {
    const added = { id: this.nextId(), ...channel };
    this.#channels.set(added.id, added);
    this.#messages.set(added.id, []);
    return added;
  }

  /** Returns the private chat of a user, created on first use. @throws {DiscordRefusal} 50033. */
  privateChat(userId: string): DiscordChannel {
    const known = this.channels.find(
      ({ type, recipients }) => type === 1 && recipients?.some(({ id }) => id === userId) === true,
    );
    if (known !== undefined) return known;
    const user = this.#users.get(userId);
    if (user === undefined || user === this.bot) throw new DiscordRefusal(400, 50_033, "Invalid Recipient(s)");
    return this.addChannel({ type: 1, recipients: [user] });
  }

  /** @throws {DiscordRefusal} 10003, or the error set by `close`. */
  channel(id: string): DiscordChannel {
    const channel = this.#channels.get(id);
    if (channel === undefined) throw new DiscordRefusal(404, 10_003, "Unknown Channel");
    return channel;
  }

  /** `undefined` allows messages again. */
  close(channelId: string, refusal: DiscordRefusal | undefined): void {
    if (refusal === undefined) this.#refusals.delete(channelId);
    else this.#refusals.set(channelId, refusal);
  }

  assertMayWrite(channelId: string): void {
    const refusal = this.#refusals.get(channelId);
    if (refusal !== undefined) throw refusal;
  }

  messages(channelId: string): readonly DiscordMessage[] {
    return this.#messages.get(channelId) ?? [];
  }

  allMessages(): readonly DiscordMessage[] {
    return [...this.#messages.values()].flat().toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
  }

  /** @throws {DiscordRefusal} 10008. */
  message(channelId: string, messageId: string): DiscordMessage {
    const message = this.messages(channelId).find(({ id }) => id === messageId);
    if (message === undefined) throw new DiscordRefusal(404, 10_008, "Unknown Message");
    return message;
  }

  add(channel: DiscordChannel, author: DiscordUser, said: DiscordContent): DiscordMessage {
    const { answered, content, attachments = [], components = [], flags = 0, nonce } = said;
    const guild = channel.guild_id === undefined ? {} : { guild_id: channel.guild_id };
    const message: DiscordMessage = {
      id: this.nextId(),
      channel_id: channel.id,
      author,
      content,
      timestamp: new Date(this.#lastMs).toISOString(),
      edited_timestamp: null,
      tts: false,
      mention_everyone: false,
      mentions: this.#mentions(content, answered),
      mention_roles: [],
      attachments,
      embeds: [],
      components,
      pinned: false,
      type: answered === undefined ? 0 : 19,
      flags,
      ...(nonce === undefined ? {} : { nonce }),
      ...(answered === undefined
        ? {}
        : {
            message_reference: { type: 0, message_id: answered.id, channel_id: channel.id, ...guild },
            referenced_message: answered,
          }),
    };
    this.#messages.get(channel.id)?.push(message);
    return message;
  }

  edit(before: DiscordMessage, change: Partial<Pick<DiscordMessage, "content" | "components">>): DiscordMessage {
    const edited: DiscordMessage = {
      ...before,
      ...change,
      mentions: this.#mentions(change.content ?? before.content, before.referenced_message ?? undefined),
      edited_timestamp: new Date(this.#options.now()).toISOString(),
    };
    const messages = this.#messages.get(before.channel_id) ?? [];
    messages.splice(
      messages.findIndex(({ id }) => id === before.id),
      1,
      edited,
    );
    return edited;
  }

  remove({ channel_id: channelId, id }: DiscordMessage): void {
    const messages = this.#messages.get(channelId) ?? [];
    messages.splice(
      messages.findIndex((message) => message.id === id),
      1,
    );
  }

  keepFile(filename: string, bytes: Uint8Array<ArrayBuffer>, contentType?: string): DiscordAttachment {
    const id = this.nextId();
    this.#files.set(id, bytes);
    const url = `${this.#options.filesUrl()}/attachments/${id}/${encodeURIComponent(filename)}`;
    const type = contentType === undefined ? {} : { content_type: contentType };
    return { id, filename, size: bytes.byteLength, url, proxy_url: url, ...type };
  }

  file(id: string): Uint8Array<ArrayBuffer> | undefined {
    return this.#files.get(id);
  }

  #newUser(name: string): DiscordUser {
    const username = name.toLowerCase().replaceAll(/[^a-z0-9_.]/g, "_");
    return { id: this.nextId(), username, discriminator: "0", global_name: name, avatar: null };
  }

  /** Returns the mentioned users, including the author of the message that is replied to. */
  #mentions(content: string, answered: DiscordMessage | undefined): readonly DiscordUser[] {
    const ids = [...content.matchAll(/<@!?(\d+)>/g)].map(([, id = ""]) => id);
    const named = ids.flatMap((id) => this.#users.get(id) ?? []);
    return [...new Set([...named, ...(answered === undefined ? [] : [answered.author])])];
  }
}
