import { answerDiscordCall } from "./answer-discord-call.ts";
import { DiscordGateway, type GatewayPeer } from "./discord-gateway.ts";
import { DiscordInteractions } from "./discord-interactions.ts";
import { DiscordPerson, type DiscordState } from "./discord-person.ts";
import { DiscordRefusal } from "./discord-refusal.ts";
import { DiscordWorld, type DiscordChannel, type DiscordMessage } from "./discord-world.ts";
import { readBody, routeOf, type DiscordCall, type DiscordRoute } from "./rest-call.ts";

export type DiscordFault =
  | {
      readonly kind: "refuse";
      readonly status: number;
      readonly code: number;
      readonly message: string;
      readonly retryAfterS?: number;
      readonly isGlobal?: boolean;
    }
  /** The call takes effect if `isTaken`. */
  | { readonly kind: "cut"; readonly isTaken: boolean }
  /** Until `release()`. */
  | { readonly kind: "hold" }
  | { readonly kind: "flood" }
  /** A proxy answers instead. */
  | { readonly kind: "gateway"; readonly status: number };

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
export class RecordingDiscordServer implements AsyncDisposable {
  readonly token: string;
  readonly calls: RecordedDiscordCall[] = [];
  readonly connectedTo: string[] = [];
  readonly gateway: DiscordGateway;
  readonly #world: DiscordWorld;
  readonly #state: DiscordState;
  readonly #options: RecordingDiscordServerOptions;
  readonly #now: () => number;
  readonly #problems: string[] = [];
  readonly #faults = new Map<DiscordRoute, DiscordFault[]>();
  readonly #waiting = new Set<() => void>();
  readonly #port: number;
  #server: Bun.Server<SocketData> | undefined;
  #release = Promise.withResolvers<void>();
  #held = 0;
  #isRevoked = false;

  constructor(options: RecordingDiscordServerOptions = {}) {
    const { token = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GtestT.not-a-token_0123456789abcdefghijklm", now = Date.now } =
      options;
    this.token = token;
    this.#options = options;
    this.#now = now;
    this.#world = new DiscordWorld(options.botName ?? "Incipit Test", { now, filesUrl: () => this.url });
    this.gateway = new DiscordGateway({
      world: this.#world,
      isToken: (given) => given === this.token && !this.#isRevoked,
      resumeUrl: () => `${this.#gatewayUrl}/resumed`,
      onChange: () => this.#notify(),
    });
    const interactions = new DiscordInteractions(this.#world, now);
    this.#state = { world: this.#world, gateway: this.gateway, interactions, commands: [] };
    this.#server = this.#listen(0);
    this.#port = this.#server.port ?? 0;
  }

  /** Replaces `https://discord.com`. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
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

  get problems(): readonly string[] {
    return this.#problems;
  }

  /** Retries share one. */
  get nonces(): ReadonlySet<unknown> {
    const bodies = this.callsOf("POST /channels/:id/messages").map(({ body }) => body);
    return new Set(bodies.map((body) => (isRecord(body) ? body["nonce"] : undefined)));
  }

  get held(): number {
    return this.#held;
  }

  bytesOf({ id }: { readonly id: string }): Uint8Array<ArrayBuffer> | undefined {
    return this.#world.file(id);
  }

  callsOf(route: DiscordRoute): readonly RecordedDiscordCall[] {
    return this.calls.filter((call) => call.route === route);
  }

  /** With a private chat. */
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

  fail(route: DiscordRoute, ...faults: readonly DiscordFault[]): void {
    this.#faults.set(route, [...(this.#faults.get(route) ?? []), ...faults]);
  }

  release(): void {
    this.#release.resolve();
    this.#release = Promise.withResolvers();
  }

  revokeToken(): void {
    this.#isRevoked = true;
    this.gateway.forgetSessions();
    this.gateway.drop(4_004, "Authentication failed.");
  }

  restoreToken(): void {
    this.#isRevoked = false;
  }

  /** Refuses connections until `comeBack()`. */
  async goDown(): Promise<void> {
    await this.#server?.stop(true);
    this.#server = undefined;
  }

  comeBack(): void {
    this.#server ??= this.#listen(this.#port);
  }

  /** Checked after each call, gateway frame and event. */
  async waitFor(condition: (server: RecordingDiscordServer) => boolean): Promise<void> {
    while (!condition(this)) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.release();
    await this.goDown();
    if (this.#options.isStrict === true && this.#problems.length > 0)
      throw new Error(`What the bot sent was hardly meant: ${this.#problems.join("; ")}`);
  }

  get #gatewayUrl(): string {
    return `ws://127.0.0.1:${this.#port}/gateway`;
  }

  #listen(port: number): Bun.Server<SocketData> {
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

  #notify(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
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
      return response ?? cut();
    } catch (error) {
      if (!(error instanceof DiscordRefusal)) throw error;
      recorded.status = error.status;
      return error.toResponse();
    } finally {
      this.#notify();
    }
  }

  #assertMayCall({ headers }: Request, route: DiscordRoute): void {
    // https://docs.discord.com/developers/reference#user-agent
    if (!/^DiscordBot \(\S+, \S+\)/.test(headers.get("user-agent") ?? ""))
      this.#problems.push(`${route} was called without the user agent that is asked for`);
    // Interaction tokens authorize their own routes.
    if (route.includes(":token")) return;
    if (headers.get("authorization") !== `Bot ${this.token}` || this.#isRevoked)
      throw new DiscordRefusal(401, 0, "401: Unauthorized");
  }

  async #call(route: DiscordRoute, call: DiscordCall): Promise<Response | undefined> {
    const fault = this.#faults.get(route)?.shift();
    if (fault?.kind === "refuse") throw new DiscordRefusal(fault.status, fault.code, fault.message, fault);
    if (fault?.kind === "gateway") return new Response("<html>Bad Gateway</html>", { status: fault.status });
    if (fault?.kind === "flood") return flood();
    if (fault?.kind === "cut" && !fault.isTaken) return undefined;
    if (fault?.kind === "hold") {
      this.#held += 1;
      this.#notify();
      await this.#release.promise;
      this.#held -= 1;
    }
    const result = answerDiscordCall(route, call, {
      state: this.#state,
      gatewayUrl: this.#gatewayUrl,
      now: this.#now,
      onProblem: (problem) => void this.#problems.push(problem),
    });
    if (fault?.kind === "cut") return undefined;
    return result === undefined ? new Response(null, { status: 204 }) : Response.json(result);
  }
}

interface NewChannel {
  readonly name?: string;
  readonly beside?: DiscordChannel;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** Ends before the first byte. */
function cut(): Response {
  return new Response(new ReadableStream({ start: (controller) => controller.error() }));
}

function flood(): Response {
  const piece = new TextEncoder().encode(" ".repeat(1_048_576));
  return new Response(new ReadableStream({ pull: (controller) => controller.enqueue(piece) }));
}
