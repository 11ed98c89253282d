import type { DiscordGateway } from "./discord-gateway.ts";
import type { DiscordInteraction, DiscordInteractions } from "./discord-interactions.ts";
import { DiscordRefusal } from "./discord-refusal.ts";
import type { DiscordCommand } from "./message-body.ts";
import type { DiscordChannel, DiscordMessage, DiscordUser, DiscordWorld } from "./discord-world.ts";

export interface DiscordState {
  readonly world: DiscordWorld;
  readonly gateway: DiscordGateway;
  readonly interactions: DiscordInteractions;
  commands: readonly DiscordCommand[];
}

export interface DiscordSentFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type?: string;
  readonly text?: string;
}

export class DiscordSeat {
  readonly user: DiscordUser;
  readonly #state: DiscordState;
  readonly #channel: () => DiscordChannel;

  constructor(user: DiscordUser, channel: () => DiscordChannel, state: DiscordState) {
    this.user = user;
    this.#channel = channel;
    this.#state = state;
  }

  get channelId(): string {
    return this.#channel().id;
  }

  get messages(): readonly DiscordMessage[] {
    return this.#state.world.messages(this.channelId);
  }

  get replies(): readonly DiscordMessage[] {
    return this.messages.filter(({ author }) => author.id === this.#state.world.bot.id);
  }

  says(text: string, { replyTo }: { readonly replyTo?: DiscordMessage } = {}): DiscordMessage {
    return this.#add({ content: text, ...(replyTo === undefined ? {} : { answered: replyTo }) });
  }

  sends({ name, bytes, type, text = "" }: DiscordSentFile): DiscordMessage {
    return this.#add({ content: text, attachments: [this.#state.world.keepFile(name, bytes, type)] });
  }

  edits(message: DiscordMessage, text: string): DiscordMessage {
    const edited = this.#state.world.edit(message, { content: text });
    this.#tell("MESSAGE_UPDATE", edited);
    return edited;
  }

  /** Deletes a message; the event has only its id. */
  deletes({ id, channel_id: channelId }: DiscordMessage): void {
    const { world, gateway } = this.#state;
    const message = world.message(channelId, id);
    const { guild_id: guildId, type } = world.channel(channelId);
    world.remove(message);
    const where = guildId === undefined ? {} : { guild_id: guildId };
    gateway.dispatch({ t: "MESSAGE_DELETE", d: { id, channel_id: channelId, ...where }, isPrivate: type === 1 });
  }

  /** Presses the newest button with this label. @throws without one. */
  presses(label: string): DiscordInteraction {
    for (const message of this.replies.toReversed()) {
      const buttons = message.components.flatMap(({ components }) => components);
      const id = buttons.find((button) => button.label === label)?.custom_id;
      if (id === undefined) continue;
      return this.#interact({ type: 3, data: { custom_id: id, component_type: 2 }, message });
    }
    throw new Error(`There is no button "${label}" in the channel ${this.channelId}`);
  }

  /** @throws without a command of this name. */
  runs(name: string, argument?: string): DiscordInteraction {
    const command = this.#state.commands.find((one) => one.name === name);
    if (command === undefined) throw new Error(`The bot has registered no command "${name}"`);
    const [option] = command.options;
    if (argument !== undefined && option === undefined) throw new Error(`The command "${name}" takes no argument`);
    const options = argument === undefined ? [] : [{ name: option?.name, type: 3, value: argument }];
    return this.#interact({ type: 2, data: { id: command.id, name, type: 1, options } });
  }

  blocks(): void {
    const { type } = this.#channel();
    const refusal =
      type === 1
        ? new DiscordRefusal(403, 50_007, "Cannot send messages to this user")
        : new DiscordRefusal(403, 50_001, "Missing Access");
    this.#state.world.close(this.channelId, refusal);
  }

  unblocks(): void {
    this.#state.world.close(this.channelId, undefined);
  }

  #add(content: Parameters<DiscordWorld["add"]>[2]): DiscordMessage {
    const message = this.#state.world.add(this.#channel(), this.user, content);
    this.#tell("MESSAGE_CREATE", message);
    return message;
  }

  #tell(t: string, message: DiscordMessage): void {
    tellOfMessage(this.#state, t, message);
  }

  #interact(what: object): DiscordInteraction {
    const { world, gateway, interactions } = this.#state;
    const channel = this.#channel();
    const interaction = interactions.begin();
    const who = { roles: [], joined_at: new Date(0).toISOString(), deaf: false, mute: false, permissions: "0" };
    const from =
      channel.guild_id === undefined
        ? { user: this.user, context: 1 }
        : {
            guild_id: channel.guild_id,
            guild: { id: channel.guild_id, locale: "en-US", features: [] },
            member: { ...who, user: this.user, flags: 0 },
            guild_locale: "en-US",
            context: 0,
          };
    const d = {
      id: interaction.id,
      token: interaction.token,
      application_id: world.bot.id,
      version: 1,
      channel,
      channel_id: channel.id,
      app_permissions: "2048",
      locale: "en-US",
      entitlements: [],
      authorizing_integration_owners: {},
      attachment_size_limit: 10_485_760,
      ...from,
      ...what,
    };
    gateway.dispatch({ t: "INTERACTION_CREATE", d, isPrivate: channel.type === 1 });
    return interaction;
  }
}

export class DiscordPerson extends DiscordSeat {
  readonly #state: DiscordState;

  constructor(user: DiscordUser, state: DiscordState) {
    super(user, () => state.world.privateChat(user.id), state);
    this.#state = state;
  }

  in(channel: DiscordChannel): DiscordSeat {
    return new DiscordSeat(this.user, () => channel, this.#state);
  }
}

/** Includes the bot's own messages, and the fields that the gateway adds. */
export function tellOfMessage({ world, gateway }: DiscordState, t: string, message: DiscordMessage): void {
  const { guild_id: guildId, type } = world.channel(message.channel_id);
  const member = { roles: [], joined_at: new Date(0).toISOString(), deaf: false, mute: false, flags: 0 };
  const more = guildId === undefined ? {} : { guild_id: guildId, member };
  gateway.dispatch({ t, d: { ...message, channel_type: type, ...more }, isPrivate: type === 1 });
}
