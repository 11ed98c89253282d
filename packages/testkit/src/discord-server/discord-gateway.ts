import * as z from "zod";
import type { DiscordMessage, DiscordWorld } from "./discord-world.ts";

/** https://docs.discord.com/developers/events/gateway#list-of-intents */
export const discordIntents = {
  guilds: 1 << 0,
  guildMessages: 1 << 9,
  directMessages: 1 << 12,
  messageContent: 1 << 15,
} as const;
const knownIntents = (1 << 26) - 1;
const op = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  presence: 3,
  resume: 6,
  reconnect: 7,
  invalid: 9,
  hello: 10,
  ack: 11,
} as const;

export interface GatewayFrame {
  readonly op: number;
  readonly d: unknown;
}

export interface GatewayPeer {
  send(text: string): void;
  close(code?: number, reason?: string): void;
  terminate(): void;
}

interface Session {
  readonly id: string;
  readonly intents: number;
  /** Numbered from 1. */
  readonly sent: { readonly t: string; readonly d: unknown }[];
  peer: GatewayPeer | undefined;
}

interface Connection {
  readonly peer: GatewayPeer;
  session: Session | undefined;
}

const frameSchema = z.looseObject({ op: z.int(), d: z.unknown() });
const identifySchema = z.looseObject({
  token: z.string(),
  intents: z.int(),
  properties: z.looseObject({ os: z.string(), browser: z.string(), device: z.string() }),
});
const resumeSchema = z.looseObject({ token: z.string(), session_id: z.string(), seq: z.int() });

export interface DiscordGatewayOptions {
  readonly world: DiscordWorld;
  readonly isToken: (token: string) => boolean;
  readonly resumeUrl: () => string;
  readonly onChange: () => void;
}

export interface DiscordEvent {
  readonly t: string;
  readonly d: object;
  readonly isPrivate: boolean;
}

/** Sessions outlive connections: https://docs.discord.com/developers/events/gateway */
export class DiscordGateway {
  readonly frames: GatewayFrame[] = [];
  isDeaf = false;
  refusedSessions = 0;
  hasContentIntent = true;
  heartbeatIntervalMs = 41_250;
  sessionsLeft = 1_000;
  connectionCount = 0;
  readonly #options: DiscordGatewayOptions;
  readonly #connections = new Map<GatewayPeer, Connection>();
  readonly #sessions = new Map<string, Session>();
  #lastSession = 0;

  constructor(options: DiscordGatewayOptions) {
    this.#options = options;
  }

  get isConnected(): boolean {
    return [...this.#connections.values()].some(({ session }) => session !== undefined);
  }

  opened(peer: GatewayPeer): void {
    this.connectionCount += 1;
    this.#connections.set(peer, { peer, session: undefined });
    this.#send(peer, { op: op.hello, d: { heartbeat_interval: this.heartbeatIntervalMs }, s: null, t: null });
  }

  closed(peer: GatewayPeer, code: number): void {
    const session = this.#connections.get(peer)?.session;
    this.#connections.delete(peer);
    if (session?.peer === peer) {
      session.peer = undefined;
      // With these codes the bot ends the session.
      if (code === 1_000 || code === 1_001) this.#sessions.delete(session.id);
    }
    this.#options.onChange();
  }

  received(peer: GatewayPeer, text: string): void {
    const connection = this.#connections.get(peer);
    if (connection === undefined) return;
    const frame = frameSchema.safeParse(parsed(text));
    if (!frame.success || text.length > 4_096) return peer.close(4_002, "Error while decoding payload.");
    this.frames.push({ op: frame.data.op, d: frame.data.d });
    this.#take(connection, frame.data);
    this.#options.onChange();
  }

  dispatch(event: DiscordEvent): void {
    for (const session of this.#sessions.values()) {
      const told = toldTo(session, event, this.#options.world.bot.id);
      if (told !== undefined) this.#tell(session, event.t, told);
    }
    this.#options.onChange();
  }

  /** Sends all events again with new numbers, like a service that has lost count. */
  repeatEvents(): void {
    for (const session of this.#sessions.values())
      for (const { t, d } of session.sent.slice()) if (t !== "READY") this.#tell(session, t, d);
  }

  /** Sessions stay, unless the code ends them. */
  drop(code?: number, reason = ""): void {
    for (const { peer } of this.#connections.values()) {
      if (code === undefined) peer.terminate();
      else peer.close(code, reason);
    }
  }

  askReconnect(): void {
    for (const { peer } of this.#connections.values()) this.#send(peer, { op: op.reconnect, d: null });
  }

  askHeartbeat(): void {
    for (const { peer } of this.#connections.values()) this.#send(peer, { op: op.heartbeat, d: null });
  }

  forgetSessions(): void {
    this.#sessions.clear();
  }

  #take(connection: Connection, { op: code, d }: GatewayFrame): void {
    const { peer, session } = connection;
    switch (code) {
      case op.heartbeat:
        if (!this.isDeaf) this.#send(peer, { op: op.ack });
        return;
      case op.identify:
        if (session !== undefined) return peer.close(4_005, "Already authenticated.");
        return this.#identify(connection, d);
      case op.resume:
        if (session !== undefined) return peer.close(4_005, "Already authenticated.");
        return this.#resume(connection, d);
      default:
        if (session === undefined) return peer.close(4_003, "Not authenticated.");
        // Other frames, such as presence updates, have no response.
        if (code > 43 || code < 0 || code === op.dispatch) peer.close(4_001, "Unknown opcode.");
    }
  }

  #identify(connection: Connection, given: unknown): void {
    const { peer } = connection;
    const { world } = this.#options;
    const identify = identifySchema.safeParse(given);
    if (!identify.success) return peer.close(4_002, "Error while decoding payload.");
    const { token, intents } = identify.data;
    if (!this.#options.isToken(token)) return peer.close(4_004, "Authentication failed.");
    if (intents < 0 || intents > knownIntents) return peer.close(4_013, "Invalid intent(s).");
    if (!this.hasContentIntent && (intents & discordIntents.messageContent) !== 0)
      return peer.close(4_014, "Disallowed intent(s).");
    if (this.refusedSessions > 0) {
      this.refusedSessions -= 1;
      return this.#send(peer, { op: op.invalid, d: false });
    }
    this.sessionsLeft -= 1;
    const session: Session = { id: `session-${(this.#lastSession += 1)}`, intents, sent: [], peer };
    this.#sessions.set(session.id, session);
    connection.session = session;
    this.#tell(session, "READY", {
      v: 10,
      user: { ...world.bot, verified: true, mfa_enabled: false, email: null, flags: 0 },
      guilds: world.guilds.map(({ id }) => ({ id, unavailable: true })),
      session_id: session.id,
      resume_gateway_url: this.#options.resumeUrl(),
      application: { id: world.bot.id, flags: 0 },
    });
    if ((intents & discordIntents.guilds) === 0) return;
    for (const guild of world.guilds) this.#tell(session, "GUILD_CREATE", guildOf(guild.id, world));
  }

  #resume(connection: Connection, given: unknown): void {
    const { peer } = connection;
    const resume = resumeSchema.safeParse(given);
    if (!resume.success) return peer.close(4_002, "Error while decoding payload.");
    const { token, session_id: id, seq } = resume.data;
    if (!this.#options.isToken(token)) return peer.close(4_004, "Authentication failed.");
    const session = this.#sessions.get(id);
    if (session === undefined) return this.#send(peer, { op: op.invalid, d: false });
    if (seq > session.sent.length || seq < 0) return peer.close(4_007, "Invalid seq.");
    session.peer?.close(4_000, "Another connection has resumed the session.");
    session.peer = peer;
    connection.session = session;
    for (const [index, { t, d }] of session.sent.entries())
      if (index >= seq) this.#send(peer, { op: op.dispatch, t, d, s: index + 1 });
    this.#tell(session, "RESUMED", {});
  }

  #tell(session: Session, t: string, d: unknown): void {
    session.sent.push({ t, d });
    if (session.peer !== undefined) this.#send(session.peer, { op: op.dispatch, t, d, s: session.sent.length });
  }

  #send(peer: GatewayPeer, payload: object): void {
    peer.send(JSON.stringify({ s: null, t: null, ...payload }));
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `undefined` when the session's intents exclude the event. */
function toldTo({ intents }: Session, { t, d, isPrivate }: DiscordEvent, botId: string): object | undefined {
  if (!t.startsWith("MESSAGE_")) return d;
  const needed = isPrivate ? discordIntents.directMessages : discordIntents.guildMessages;
  if ((intents & needed) === 0) return undefined;
  const sees = isPrivate || (intents & discordIntents.messageContent) !== 0 || !isMessage(d);
  if (sees || d.author.id === botId || d.mentions.some(({ id }) => id === botId)) return d;
  return { ...d, content: "", attachments: [], embeds: [], components: [] };
}

function isMessage(d: object): d is DiscordMessage {
  return "author" in d && "mentions" in d;
}

function guildOf(id: string, world: DiscordWorld): object {
  const guild = world.guilds.find((one) => one.id === id);
  const everyone = { id, name: "@everyone", permissions: "0", position: 0, color: 0, hoist: false, managed: false };
  const colors = { primary_color: 0, secondary_color: null, tertiary_color: null };
  return {
    ...guild,
    owner_id: world.bot.id,
    unavailable: false,
    joined_at: new Date(0).toISOString(),
    large: false,
    member_count: 1,
    roles: [{ ...everyone, colors, mentionable: false, flags: 0 }],
    channels: world.channels.filter((channel) => channel.guild_id === id && channel.type === 0),
    threads: world.channels.filter((channel) => channel.guild_id === id && channel.type === 11),
    members: [],
    presences: [],
    voice_states: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
    emojis: [],
    stickers: [],
    features: [],
    verification_level: 0,
    default_message_notifications: 0,
    explicit_content_filter: 0,
    mfa_level: 0,
    nsfw_level: 0,
    premium_tier: 0,
    preferred_locale: "en-US",
    system_channel_flags: 0,
    afk_timeout: 300,
    premium_progress_bar_enabled: false,
  };
}
