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

const retryMs = { first: 1_000, longest: 60_000 } as const;
/** Messages whose ids are remembered, so that what is both told and asked for is given once. */
const maxTaken = 2_000;
/** A chat of other people, in which the bot is no more than a tool of one of them. */
const foreignContext = 2;

/** What a channel is of, as an event says it. */
type Where = Omit<Place, "lastId"> & { readonly title: string };

/**
 * Brings in what the gateway tells, and what it did not tell while nobody listened: those of a channel one after the other, those of
 * several channels side by side. What could not be stored is given again; where a host ends before, the next one asks for it.
 */
export class Receiving {
  readonly #options: ReceivingOptions;
  readonly #queues: ChannelQueues;
  readonly #taken = new Set<string>();
  /** Channels are asked for what was missed one at a time. */
  readonly #asking = new SerialQueue();
  /** Channels that were asked, in this session. */
  readonly #asked = new Set<string>();
  /** What is on its way to the service, and nobody waits for. */
  readonly #loose = new Set<Promise<void>>();
  #account: BotAccount | undefined;
  #hasCommands = false;

  constructor(options: ReceivingOptions) {
    this.#options = options;
    this.#queues = new ChannelQueues({
      onDropped: (channelId) => this.#catchUp(channelId, this.#options.places.get(channelId)?.guildId ?? null),
    });
  }

  /** Resolves when the signal has aborted. */
  async run(): Promise<void> {
    const { rest, net, clock, log, token, tokenVariable, signal, inbox, places } = this.#options;
    await this.#untilDone("Where people have written cannot be read; it is tried again", () => places.load());
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
        log.warn("Discord's gateway cannot be used; it is tried again", { reason: why });
        inbox.report({ kind: "down", why });
      },
    });
    await gateway.run();
    await Promise.allSettled([this.#queues.ended(), ...this.#loose]);
  }

  /** A session has begun. What came before it is asked for at once, so that what comes now waits behind it. */
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
        // They may share no server with the bot as yet; what they write comes all the same.
        if (!signal.aborted) log.debug("A private chat could not be opened", { reason: errorMessage(error) });
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
        // Somebody may have written in a channel that is not known as yet, while nobody listened.
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

  /** Updates of a message may say nothing but what has changed, such as the preview of a link. */
  #unreadable(name: string, data: unknown): void {
    if (name === "MESSAGE_UPDATE" && typeof data === "object" && data !== null && !("author" in data)) return;
    const { log } = this.#options;
    log.warn("Discord has sent an event that cannot be read; it is passed over: update the host", { event: name });
  }

  /** In servers that nobody has configured, it only hears who speaks to it. */
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
    const chat = await this.#untilDone("A channel of Discord cannot be asked about; it is tried again", () =>
      places.chat(channelId, where, signal),
    );
    if (chat === undefined) return;
    const { guildId, userId } = where;
    // What is said in servers that nobody has configured is asked for by nobody.
    const isKept = this.#isConfigured(guildId);
    // Before it is given: a host that ends in between knows where to ask.
    if (isKept)
      await this.#untilDone("Where people write on Discord cannot be stored; it is tried again", () =>
        places.note(channelId, { guildId, userId }),
      );
    const botId = this.#account?.id ?? "";
    const download: RestClient["download"] = (url, options) => rest.download(url, options);
    const given = await this.#give(readMessage(message, { botId, chat, download }));
    if (given === undefined || !isKept) return;
    this.#note(id);
    await this.#untilDone("How far a chat of Discord is read cannot be stored; it is tried again", () =>
      places.mark(channelId, { guildId, userId }, id),
    );
  }

  async #takeEdit(message: DiscordMessage, where: Where): Promise<void> {
    const { places, signal } = this.#options;
    const chat = await this.#untilDone("A channel of Discord cannot be asked about; it is tried again", () =>
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
    // The service waits three seconds, and a chat may have something else to store.
    const acknowledged = acknowledge(rest, interaction, { log, signal });
    this.#keepUntilEnd(acknowledged);
    this.#queues.add(channelId, async () => {
      const chat = await this.#untilDone("A channel of Discord cannot be asked about; it is tried again", () =>
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

  /** Asks for what was written in a channel since its last message was stored. */
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
        // It was deleted, or the bot may not read it any more.
        log.debug("A channel of Discord is there no longer", { reason: errorMessage(error) });
        await this.#untilDone("A channel of Discord cannot be forgotten; it is tried again", () =>
          places.forget(channelId),
        );
      }
    });
  }

  /** Gives an update until it was stored; `undefined`: the signal has aborted before. */
  #give(update: ChannelUpdate): Promise<{ readonly answer?: string } | undefined> {
    const { inbox } = this.#options;
    return this.#untilDone("A message from Discord could not be stored; it is given again", () =>
      inbox.receive(update),
    );
  }

  /** Tries once at least, and again until it is done; `undefined`: the signal has aborted before. */
  async #untilDone<Result>(failed: string, work: () => Promise<Result>): Promise<Result | undefined> {
    const { clock, log, signal } = this.#options;
    for (let failures = 0; ; failures += 1) {
      try {
        return await work();
      } catch (error) {
        if (signal.aborted) return undefined;
        log.error(failed, { error: errorMessage(error) });
        await waitUnlessAborted(Math.min(retryMs.first * 2 ** failures, retryMs.longest), clock, signal);
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

/** A private chat is called as its person. */
function titleOf({ author: { id, username, global_name: name } }: DiscordMessage): string {
  return name ?? (username === "" ? id : username);
}
