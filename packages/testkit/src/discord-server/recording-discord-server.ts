import {
  brokenResponse,
  FaultyService,
  type ListeningServer,
  type ServiceFault,
} from "../faults/faulty-service.ts";
import { answerDiscordCall } from "./answer-discord-call.ts";
import { DiscordGateway, type GatewayPeer } from "./discord-gateway.ts";
import { DiscordInteractions } from "./discord-interactions.ts";
import { DiscordPerson, type DiscordState } from "./discord-person.ts";
import { DiscordRefusal } from "./discord-refusal.ts";
import { DiscordWorld, type DiscordChannel, type DiscordMessage } from "./discord-world.ts";
import { readBody, routeOf, type DiscordCall, type DiscordRoute } from "./rest-call.ts";

interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly retryAfterS?: number;
  readonly isGlobal?: boolean;
}
export type DiscordFault = ServiceFault<Refusal>;

export interface RecordedDiscordCall {
  readonly route: DiscordRoute;
  readonly ids: DiscordCall["ids"];
  body: unknown;
  files: DiscordCall["files"];
  /** `undefined`: no response. */
  status: number | undefined;
}

export interface RecordingDiscordServerOptions {
  readonly token?: string;
  readonly botName?: string;
  /** Throws on disposal when there are `problems`. */
  readonly isStrict?: boolean;
  /** Time source of ids. */
  readonly now?: () => number;
}

interface SocketData {
  peer: GatewayPeer | undefined;
}

/**
 * Discord's REST API, version 10, and its gateway on loopback, for one bot:
 * https://docs.discord.com/developers/reference. Validates calls like the service and records them; simulated people
 * write, press buttons, run commands and send files.
 */
export class RecordingDiscordServer extends FaultyService<DiscordRoute, Refusal> {
  readonly token: string;
  readonly calls: RecordedDiscordCall[] = [];
  readonly connectedTo: string[] = [];
  readonly gateway: DiscordGateway;
  readonly #world: DiscordWorld;
  readonly #state: DiscordState;
  readonly #now: () => number;
  #isRevoked = false;

  constructor(options: RecordingDiscordServerOptions = {}) {
    super(options);
    const { token = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GtestT.not-a-token_0123456789abcdefghijklm", now = Date.now } =
      options;
    this.token = token;
    this.#now = now;
    this.#world = new DiscordWorld(options.botName ?? "Incipit Test", { now, filesUrl: () => this.url });
    this.gateway = new DiscordGateway({
      world: this.#world,
      isToken: (given) => given === this.token && !this.#isRevoked,
      resumeUrl: () => `${this.#gatewayUrl}/resumed`,
      onChange: () => this.notify(),
    });
    const interactions = new DiscordInteractions(this.#world, now);
    this.#state = { world: this.#world, gateway: this.gateway, interactions, commands: [] };
    this.comeBack();
  }

  get bot(): DiscordWorld["bot"] {
    return this.#world.bot;
  }

  get sent(): readonly DiscordMessage[] {
    return this.#world.allMessages().filter(({ author }) => author.id === this.bot.id);
  }

  get commands(): DiscordState["commands"] {
    return this.#state.commands;
  }

  /** Retries share one. */
  get nonces(): ReadonlySet<unknown> {
    const bodies = this.callsOf("POST /channels/:id/messages").map(({ body }) => body);
    return new Set(bodies.map((body) => (isRecord(body) ? body["nonce"] : undefined)));
  }

  bytesOf({ id }: { readonly id: string }): Uint8Array<ArrayBuffer> | undefined {
    return this.#world.file(id);
  }

  callsOf(route: DiscordRoute): readonly RecordedDiscordCall[] {
    return this.calls.filter((call) => call.route === route);
  }

  /** Adds a person, who has a private chat with the bot. */
  person({ name = "Ada" }: { readonly name?: string } = {}): DiscordPerson {
    return new DiscordPerson(this.#world.addUser(name), this.#state);
  }

  /** In a new server, or next to another channel. */
  channel({ name = "general", beside }: NewChannel = {}): DiscordChannel & { readonly guild_id: string } {
    const guildId = beside?.guild_id ?? this.#world.addGuild("Team").id;
    return { ...this.#world.addChannel({ type: 0, name, guild_id: guildId, parent_id: null }), guild_id: guildId };
  }

  thread(channel: DiscordChannel, name = "thread"): DiscordChannel {
    const { guild_id: guildId = "" } = channel;
    return this.#world.addChannel({ type: 11, name, guild_id: guildId, parent_id: channel.id });
  }

  revokeToken(): void {
    this.#isRevoked = true;
    this.gateway.forgetSessions();
    this.gateway.drop(4_004, "Authentication failed.");
  }

  restoreToken(): void {
    this.#isRevoked = false;
  }

  get #gatewayUrl(): string {
    return `ws://127.0.0.1:${this.port}/gateway`;
  }

  protected listen(port: number): ListeningServer {
    const { gateway } = this;
    return Bun.serve<SocketData>({
      hostname: "127.0.0.1",
      port,
      idleTimeout: 0,
      fetch: async (request, server) => {
        const { pathname } = new URL(request.url);
        if (!pathname.startsWith("/gateway")) return this.#answer(request);
        this.connectedTo.push(pathname);
        if (server.upgrade(request, { data: { peer: undefined } })) return undefined;
        return new Response("A WebSocket is expected", { status: 400 });
      },
      websocket: {
        open(socket) {
          const peer: GatewayPeer = {
            send: (text) => void socket.send(text),
            close: (code, reason) => socket.close(code, reason),
            terminate: () => socket.terminate(),
          };
          socket.data.peer = peer;
          gateway.opened(peer);
        },
        message(socket, text) {
          if (socket.data.peer !== undefined) gateway.received(socket.data.peer, String(text));
        },
        close(socket, code) {
          if (socket.data.peer !== undefined) gateway.closed(socket.data.peer, code);
        },
      },
    });
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const file = /^\/attachments\/(\d+)\//.exec(pathname)?.[1];
    if (file !== undefined)
      return new Response(this.#world.file(file), { status: this.#world.file(file) ? 200 : 404 });
    const known = routeOf(request.method, decodeURIComponent(pathname).replace(/^\/api\/v10/, ""));
    if (!pathname.startsWith("/api/v10/") || known === undefined)
      return new DiscordRefusal(404, 0, "404: Not Found").toResponse();
    const { route, ids } = known;
    const recorded: RecordedDiscordCall = { route, ids, body: undefined, files: new Map(), status: undefined };
    this.calls.push(recorded);
    try {
      this.#assertMayCall(request, route);
      const call: DiscordCall = { route, ids, query: new Map(searchParams), ...(await readBody(request)) };
      Object.assign(recorded, { body: call.body, files: call.files });
      const response = await this.#call(route, call);
      recorded.status = response?.status;
      return response ?? brokenResponse();
    } catch (error) {
      if (!(error instanceof DiscordRefusal)) throw error;
      recorded.status = error.status;
      return error.toResponse();
    } finally {
      this.notify();
    }
  }

  #assertMayCall({ headers }: Request, route: DiscordRoute): void {
    // https://docs.discord.com/developers/reference#user-agent
    if (!/^DiscordBot \(\S+, \S+\)/.test(headers.get("user-agent") ?? ""))
      this.report(`${route} was called without the user agent that is asked for`);
    // Interaction tokens authorize their own routes.
    if (route.includes(":token")) return;
    if (headers.get("authorization") !== `Bot ${this.token}` || this.#isRevoked)
      throw new DiscordRefusal(401, 0, "401: Unauthorized");
  }

  #call(route: DiscordRoute, call: DiscordCall): Promise<Response | undefined> {
    return this.withFaults(route, {
      refuse: (refusal) => new DiscordRefusal(refusal.status, refusal.code, refusal.message, refusal),
      answer: async () => {
        const result = answerDiscordCall(route, call, {
          state: this.#state,
          gatewayUrl: this.#gatewayUrl,
          now: this.#now,
          onProblem: (problem) => this.report(problem),
        });
        return result === undefined ? new Response(null, { status: 204 }) : Response.json(result);
      },
    });
  }
}

interface NewChannel {
  readonly name?: string;
  readonly beside?: DiscordChannel;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
