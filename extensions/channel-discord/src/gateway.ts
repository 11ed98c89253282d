import { tryParseJson } from "@incipit/common";
import { backOffMs } from "@incipit/common/channels";
import { errorMessage, waitUnlessAborted, type Clock, type Log, type Net, type NetSocket } from "@incipit/kernel";
import * as z from "zod";
import { Heartbeat } from "./heartbeat.ts";
import { CallError, type RestClient } from "./rest-client.ts";

export interface BotAccount {
  readonly id: string;
  readonly name: string;
  readonly applicationId: string;
}

export interface GatewayOptions {
  readonly rest: RestClient;
  readonly net: Net;
  readonly clock: Clock;
  readonly log: Log;
  readonly token: string;
  readonly tokenVariable: string;
  readonly signal: AbortSignal;
  /** The gateway does not replay earlier messages. */
  readonly onReady: (account: BotAccount) => void;
  readonly onResumed: () => void;
  readonly onEvent: (name: string, data: unknown) => void;
  readonly onDown: (why: string) => void;
}

interface Session {
  readonly id: string;
  readonly url: string;
}

interface Ended {
  readonly why: string;
  readonly isUsual: boolean;
  readonly waitMs: number | undefined;
}

const callTimeoutMs = 30_000;
const openTimeoutMs = 30_000;
const greetingTimeoutMs = 30_000;
const retryMs = { limited: 60_000, refused: 300_000 } as const;
/** Maximum number of consecutive connections without a session. */
const maxSilentRefusals = 3;
/** https://docs.discord.com/developers/events/gateway#list-of-intents */
const intents = { guildMessages: 1 << 9, directMessages: 1 << 12, messageContent: 1 << 15 } as const;
/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway-gateway-opcodes */
const op = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  resume: 6,
  reconnect: 7,
  invalidSession: 9,
  hello: 10,
  heartbeatAck: 11,
} as const;
/** Close code that keeps the session, which 1000 and 1001 would end. */
const closeAndKeep = 4_000;

const frameSchema = z.looseObject({
  op: z.int(),
  // Absent without a payload, as in a heartbeat acknowledgement.
  d: z.unknown().optional(),
  s: z.int().nullish(),
  t: z.string().nullish(),
});
const helloSchema = z.looseObject({ heartbeat_interval: z.int().min(1_000) });
const readySchema = z.looseObject({
  session_id: z.string(),
  resume_gateway_url: z.url(),
  user: z.looseObject({ id: z.string(), username: z.string() }),
  application: z.looseObject({ id: z.string() }),
});
const gatewaySchema = z.looseObject({
  url: z.url(),
  session_start_limit: z.looseObject({ remaining: z.int(), reset_after: z.number().nonnegative() }),
});

/** Discord replays missed events of a resumed session. https://docs.discord.com/developers/events/gateway */
export class Gateway {
  readonly #options: GatewayOptions;
  #session: Session | undefined;
  #sequence: number | null = null;
  /** Connections that ended before a heartbeat was acknowledged. */
  #failures = 0;
  #refusals = 0;

  constructor(options: GatewayOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const { signal, clock, onDown, log } = this.#options;
    while (!signal.aborted) {
      const { why, waitMs, isUsual } = await this.#connectOnce();
      if (signal.aborted) return;
      this.#failures += 1;
      this.#refusals += 1;
      if (!isUsual || this.#refusals >= maxSilentRefusals) onDown(why);
      log.debug("The connection to Discord has ended", { reason: why });
      await waitUnlessAborted(waitMs ?? backOffMs(this.#failures), clock, signal);
    }
  }

  /** Never rejects. */
  async #connectOnce(): Promise<Ended> {
    const { signal } = this.#options;
    try {
      const found = await this.#address();
      if ("why" in found) return found;
      const socket = await this.#open(found.url);
      try {
        return await this.#converse(socket);
      } finally {
        socket.close();
      }
    } catch (error) {
      if (signal.aborted) return { why: "the host is stopping", waitMs: undefined, isUsual: true };
      return this.#endedBy(error);
    }
  }

  async #address(): Promise<{ readonly url: string } | Ended> {
    if (this.#session !== undefined) return { url: this.#session.url };
    const { rest, signal } = this.#options;
    const given = await rest.call({ method: "GET", path: "/gateway/bot" }, { timeoutMs: callTimeoutMs, signal });
    const { url, session_start_limit: limit } = gatewaySchema.parse(given);
    // Discord resets the token of bots that identify too often.
    if (limit.remaining > 0) return { url };
    const why = "Discord refuses further connections of this bot for now: it has connected too often today";
    return { why, waitMs: Math.max(limit.reset_after, retryMs.limited), isUsual: false };
  }

  async #open(address: string): Promise<NetSocket> {
    const { net, clock, signal } = this.#options;
    const url = new URL(address);
    url.searchParams.set("v", "10");
    url.searchParams.set("encoding", "json");
    const opening = new AbortController();
    const stop = (): void => opening.abort(new Error("no answer"));
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
    const cancel = clock.setTimer(stop, openTimeoutMs);
    try {
      const socket = await net.webSocket(url.href, { signal: opening.signal });
      void socket.ended.then(() => signal.removeEventListener("abort", stop));
      return socket;
    } catch (error) {
      signal.removeEventListener("abort", stop);
      throw error;
    } finally {
      cancel();
    }
  }

  async #converse(socket: NetSocket): Promise<Ended> {
    const { clock, log } = this.#options;
    let waitMs: number | undefined;
    const heartbeat = new Heartbeat({
      clock,
      beat: () => this.#send(socket, op.heartbeat, this.#sequence),
      onSilence: () => socket.close(closeAndKeep, "Discord answered no heartbeat"),
    });
    let cancelGreeting = clock.setTimer(
      () => socket.close(closeAndKeep, "Discord sent no greeting"),
      greetingTimeoutMs,
    );
    try {
      for await (const text of socket.messages) {
        const frame = frameSchema.safeParse(tryParseJson(text));
        if (!frame.success) {
          log.debug("Discord sent an invalid gateway frame");
          continue;
        }
        const { op: kind, d, s, t } = frame.data;
        switch (kind) {
          case op.hello:
            heartbeat.start(helloSchema.parse(d).heartbeat_interval);
            this.#greet(socket);
            break;
          case op.heartbeat:
            heartbeat.beatNow();
            break;
          case op.heartbeatAck:
            heartbeat.answered();
            this.#failures = 0;
            break;
          case op.reconnect:
            socket.close(closeAndKeep, "Discord asked for a new connection");
            break;
          case op.invalidSession:
            if (d !== true) this.#forget();
            // Discord requires a random delay of one to five seconds before the next identify.
            waitMs = 1_000 + Math.floor(Math.random() * 4_000);
            socket.close(closeAndKeep, "Discord refused the session");
            break;
          case op.dispatch:
            if (s !== null && s !== undefined) this.#sequence = s;
            if (t === "READY" || t === "RESUMED") {
              cancelGreeting();
              cancelGreeting = () => undefined;
              this.#refusals = 0;
            }
            this.#tell(t ?? "", d);
            break;
          default:
            break;
        }
      }
      const end = await socket.ended;
      if (waitMs === undefined) return this.#endedWith(end);
      const longerMs = Math.max(waitMs, backOffMs(this.#failures + 1));
      return { why: "Discord refuses to resume or start a session", waitMs: longerMs, isUsual: true };
    } finally {
      cancelGreeting();
      heartbeat.stop();
    }
  }

  #greet(socket: NetSocket): void {
    const { token } = this.#options;
    if (this.#session !== undefined)
      return this.#send(socket, op.resume, { token, session_id: this.#session.id, seq: this.#sequence });
    const client = "incipit";
    this.#send(socket, op.identify, {
      token,
      intents: intents.guildMessages | intents.directMessages | intents.messageContent,
      properties: { os: process.platform, browser: client, device: client },
    });
  }

  #tell(name: string, data: unknown): void {
    const { onReady, onResumed, onEvent } = this.#options;
    if (name === "READY") {
      const { session_id: id, resume_gateway_url: url, user, application } = readySchema.parse(data);
      this.#session = { id, url };
      onReady({ id: user.id, name: user.username, applicationId: application.id });
    } else if (name === "RESUMED") onResumed();
    else onEvent(name, data);
  }

  #send(socket: NetSocket, kind: number, d: unknown): void {
    socket.send(JSON.stringify({ op: kind, d }));
  }

  #forget(): void {
    this.#session = undefined;
    this.#sequence = null;
  }

  #endedWith({ code }: { readonly code: number }): Ended {
    const { tokenVariable: name } = this.#options;
    const refused = (why: string): Ended => {
      this.#forget();
      return { why, waitMs: retryMs.refused, isUsual: false };
    };
    switch (code) {
      case 4_004:
        return refused(withoutToken(name));
      case 4_013:
      case 4_014:
        return refused(
          'The bot may not read messages: open its page at https://discord.com/developers/applications, choose "Bot", switch on "Message Content Intent", and save',
        );
      case 4_010:
      case 4_011:
      case 4_012:
        return refused(
          `Discord refuses this kind of connection (${code}): the bot is in too many servers, or this host is too old`,
        );
      case 4_003:
      case 4_007:
      case 4_009:
        this.#forget();
        break;
      default:
        break;
    }
    return { why: `The connection to Discord's gateway has ended (${code})`, waitMs: undefined, isUsual: true };
  }

  #endedBy(error: unknown): Ended {
    if (error instanceof CallError) {
      const { failure } = error;
      if (failure.kind !== "refused") return { why: failure.why, waitMs: undefined, isUsual: true };
      if (failure.status === 401)
        return { why: withoutToken(this.#options.tokenVariable), waitMs: retryMs.refused, isUsual: false };
      return {
        why: `Discord answers ${failure.status}: ${failure.why}`,
        waitMs: failure.retryAfterMs,
        isUsual: false,
      };
    }
    // Give up resuming after repeated refusals.
    if (this.#refusals > maxSilentRefusals) this.#forget();
    const why =
      error instanceof z.ZodError ? "it sent a message that this host does not understand" : errorMessage(error);
    return { why: `Discord's gateway cannot be used: ${why}`, waitMs: undefined, isUsual: true };
  }
}

function withoutToken(name: string): string {
  return `Discord rejects the token in ${name}: reset it on the bot's page, set the variable to the new one and restart the host`;
}
