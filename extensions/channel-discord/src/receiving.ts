import { backOffMs } from "@incipit/common/channels";
import { errorMessage, SerialQueue, waitUnlessAborted, type Clock, type Log, type Net } from "@incipit/kernel";
import type { ChannelInbox, ChannelSettings, ChannelUpdate } from "@incipit/service-contract";
import { ChannelQueues } from "./channel-queues.ts";
import { interactionSchema, messageSchema, type DiscordInteraction, type DiscordMessage } from "./events.ts";
import { Gateway, type BotAccount } from "./gateway.ts";
import { answerInteraction, acknowledge } from "./interactions.ts";
import { missedMessages } from "./missed-messages.ts";
import type { Place, Places } from "./places.ts";
import { isAddressed, isWritten, readEdit, readInteraction, readMessage, userOf } from "./read-event.ts";
import type { RestClient } from "./rest-client.ts";
import { registerCommands } from "./slash-commands.ts";

export interface ReceivingOptions {
  readonly rest: RestClient;
  readonly places: Places;
  readonly settings: ChannelSettings;
  readonly inbox: ChannelInbox;
  readonly net: Net;
  readonly clock: Clock;
  readonly log: Log;
  readonly token: string;
  readonly tokenVariable: string;
  readonly signal: AbortSignal;
}

/** Number of remembered ids, by which a message that was both received and fetched is delivered once. */
const maxTaken = 2_000;
/** A chat between other people, in which the bot is one user's app. */
const foreignContext = 2;

type Where = Omit<Place, "lastId"> & { readonly title: string };

/**
 * Delivers in order within a channel, channels concurrently. An update that could not be stored is delivered again;
 * if the host exits first, the next host fetches it.
 */
export class Receiving {
  readonly #options: ReceivingOptions;
  readonly #queues: ChannelQueues;
  readonly #taken = new Set<string>();
  readonly #asking = new SerialQueue();
  readonly #asked = new Set<string>();
  readonly #loose = new Set<Promise<void>>();
  #account: BotAccount | undefined;
  #hasCommands = false;

  constructor(options: ReceivingOptions) {
    this.#options = options;
    this.#queues = new ChannelQueues({
      onDropped: (channelId) => this.#catchUp(channelId, this.#options.places.get(channelId)?.guildId ?? null),
    });
  }

  async run(): Promise<void> {
    const { rest, net, clock, log, token, tokenVariable, signal, inbox, places } = this.#options;
    await this.#untilDone("Cannot read the known channels; retrying", () => places.load());
    if (signal.aborted) return;
    const report = (): void => inbox.report({ kind: "up", account: `@${this.#account?.name ?? ""}` });
    const gateway = new Gateway({
      rest,
      net,
      clock,
      log,
      token,
      tokenVariable,
      signal,
      onReady: (account) => {
        this.#account = account;
        report();
        this.#keepUntilEnd(this.#begin(account));
      },
      onResumed: report,
      onEvent: (name, data) => this.#receive(name, data),
      onDown: (why) => {
        log.warn("Cannot use Discord's gateway; retrying", { reason: why });
        inbox.report({ kind: "down", why });
      },
    });
    await gateway.run();
    await Promise.allSettled([this.#queues.ended(), ...this.#loose]);
  }

  /** Starts receiving. Missed messages are fetched first, so that new ones queue behind them. */
  async #begin({ applicationId }: BotAccount): Promise<void> {
    const { places, settings, rest, log, signal } = this.#options;
    this.#asked.clear();
    for (const [channelId, { guildId }] of places.all)
      if (this.#isConfigured(guildId)) this.#catchUp(channelId, guildId);
    for (const group of settings.groups) {
      const [guildId = "", channelId] = group.split("/");
      if (channelId !== undefined && places.get(channelId) === undefined) this.#catchUp(channelId, guildId);
    }
    if (!this.#hasCommands) this.#hasCommands = await registerCommands(rest, { applicationId, log, signal });
    for (const userId of settings.people) {
      if (signal.aborted || places.knowsPrivate(userId)) continue;
      try {
        const channelId = await places.privateChannel(userId, signal);
        if (!this.#asked.has(channelId)) this.#catchUp(channelId, null);
      } catch (error) {
        // They may share no server with the bot yet; their messages arrive regardless.
        if (!signal.aborted) log.debug("Failed to open a private chat", { reason: errorMessage(error) });
      }
    }
  }

  #receive(name: string, data: unknown): void {
    switch (name) {
      case "MESSAGE_CREATE":
      case "MESSAGE_UPDATE": {
        const message = messageSchema.safeParse(data);
        if (!message.success) return this.#unreadable(name, data);
        if (!this.#isForUs(message.data)) return;
        const where = whereOf(message.data);
        const { channel_id: channelId } = message.data;
        // Messages may have been missed in a channel that was not known yet.
        if (!this.#asked.has(channelId) && this.#isConfigured(where.guildId))
          this.#catchUp(channelId, where.guildId);
        this.#queues.add(channelId, () =>
          name === "MESSAGE_CREATE" ? this.#takeMessage(message.data, where) : this.#takeEdit(message.data, where),
        );
        return;
      }
      case "INTERACTION_CREATE": {
        const interaction = interactionSchema.safeParse(data);
        if (!interaction.success) return this.#unreadable(name, data);
        if (interaction.data.context !== foreignContext) this.#interact(interaction.data);
        return;
      }
      default:
    }
  }

  #unreadable(name: string, data: unknown): void {
    if (name === "MESSAGE_UPDATE" && typeof data === "object" && data !== null && !("author" in data)) return;
    const { log } = this.#options;
    log.warn("Skipped an unreadable event from Discord; update the host", { event: name });
  }

  /** In servers that are not configured, only messages addressed to the bot are read. */
  #isForUs(message: DiscordMessage): boolean {
    const isHeard = this.#isConfigured(message.guild_id ?? null) || isAddressed(message, this.#account?.id ?? "");
    return isHeard && isWritten(message);
  }

  #isConfigured(guildId: string | null): boolean {
    return guildId === null || this.#options.settings.groups.some((group) => group.split("/", 1)[0] === guildId);
  }

  async #takeMessage(message: DiscordMessage, where: Where): Promise<void> {
    const { places, rest, signal } = this.#options;
    const { id, channel_id: channelId } = message;
    if (this.#taken.has(id) || !isWritten(message)) return;
    const chat = await this.#untilDone("Cannot read a Discord channel; retrying", () =>
      places.chat(channelId, where, signal),
    );
    if (chat === undefined) return;
    const { guildId, userId } = where;
    // Missed messages of servers that are not configured are never fetched.
    const isKept = this.#isConfigured(guildId);
    // Before delivery, so that the next host knows where to fetch from.
    if (isKept)
      await this.#untilDone("Cannot store a Discord channel; retrying", () =>
        places.note(channelId, { guildId, userId }),
      );
    const botId = this.#account?.id ?? "";
    const download: RestClient["download"] = (url, options) => rest.download(url, options);
    const given = await this.#give(readMessage(message, { botId, chat, download }));
    if (given === undefined || !isKept) return;
    this.#note(id);
    await this.#untilDone("Cannot store the read position of a Discord chat; retrying", () =>
      places.mark(channelId, { guildId, userId }, id),
    );
  }

  async #takeEdit(message: DiscordMessage, where: Where): Promise<void> {
    const { places, signal } = this.#options;
    const chat = await this.#untilDone("Cannot read a Discord channel; retrying", () =>
      places.chat(message.channel_id, where, signal),
    );
    if (chat === undefined) return;
    const nowMs = this.#options.clock.now();
    const edit = readEdit(message, { botId: this.#account?.id ?? "", chat, nowMs });
    if (edit !== undefined) await this.#give(edit);
  }

  #interact(interaction: DiscordInteraction): void {
    const { places, rest, clock, log, signal } = this.#options;
    const user = userOf(interaction);
    if (user === undefined) return;
    const { channel_id: channelId, guild_id: guildId = null } = interaction;
    const where = { guildId, userId: guildId === null ? user.id : null, title: user.global_name ?? user.username };
    // Discord waits three seconds, and the chat may be busy storing something else.
    const acknowledged = acknowledge(rest, interaction, { log, signal });
    this.#keepUntilEnd(acknowledged);
    this.#queues.add(channelId, async () => {
      const chat = await this.#untilDone("Cannot read a Discord channel; retrying", () =>
        places.chat(channelId, where, signal),
      );
      const update = chat === undefined ? undefined : readInteraction(interaction, chat);
      if (update === undefined) return;
      const given = await this.#give(update);
      if (given === undefined) return;
      const shown = given.answer ?? (update.kind === "command" ? `\`/${update.name}\`` : "Done.");
      const answered = acknowledged.then(() =>
        answerInteraction(rest, interaction, { text: shown, clock, log, signal }),
      );
      this.#keepUntilEnd(answered);
    });
  }

  #catchUp(channelId: string, guildId: string | null): void {
    const { places, clock, log, signal, rest } = this.#options;
    this.#asked.add(channelId);
    this.#queues.add(channelId, async () => {
      const ask: RestClient["call"] = (call, waiting) => this.#asking.run(() => rest.call(call, waiting));
      const after = places.get(channelId)?.lastId ?? null;
      try {
        for await (const message of missedMessages(ask, { channelId, after, clock, log, signal })) {
          const userId = guildId === null ? (places.get(channelId)?.userId ?? message.author.id) : null;
          await this.#takeMessage(message, { guildId, userId, title: titleOf(message) });
          if (signal.aborted) return;
        }
      } catch (error) {
        if (signal.aborted) return;
        // Deleted, or no longer readable by the bot.
        log.debug("A Discord channel was deleted", { reason: errorMessage(error) });
        await this.#untilDone("Cannot forget a Discord channel; retrying", () => places.forget(channelId));
      }
    });
  }

  /** `undefined` when the signal aborts first. */
  #give(update: ChannelUpdate): Promise<{ readonly answer?: string } | undefined> {
    const { inbox } = this.#options;
    return this.#untilDone("Cannot store a message from Discord; retrying", () => inbox.receive(update));
  }

  async #untilDone<Result>(failed: string, work: () => Promise<Result>): Promise<Result | undefined> {
    const { clock, log, signal } = this.#options;
    for (let failures = 1; ; failures += 1) {
      try {
        return await work();
      } catch (error) {
        if (signal.aborted) return undefined;
        log.error(failed, { error: errorMessage(error) });
        await waitUnlessAborted(backOffMs(failures), clock, signal);
        if (signal.aborted) return undefined;
      }
    }
  }

  #note(messageId: string): void {
    this.#taken.add(messageId);
    const [oldest] = this.#taken;
    if (this.#taken.size > maxTaken && oldest !== undefined) this.#taken.delete(oldest);
  }

  #keepUntilEnd(work: Promise<void>): void {
    this.#loose.add(work);
    void work.finally(() => this.#loose.delete(work));
  }
}

function whereOf(message: DiscordMessage): Where {
  const { guild_id: guildId = null, author } = message;
  return { guildId, userId: guildId === null ? author.id : null, title: titleOf(message) };
}

function titleOf({ author: { id, username, global_name: name } }: DiscordMessage): string {
  return name ?? (username === "" ? id : username);
}
