import { ChunkGates } from "./chunk-gates.ts";
import { replySizeBytes, type ModelReply, type ReplyUsage, type WrittenReply } from "./wire/model-reply.ts";
import { deferralRefusal } from "./anthropic/tool-deferral.ts";
import { ThinkingBindings } from "./anthropic/thinking-bindings.ts";
import { chatToolRefusal, responsesToolRefusal } from "./openai/tool-schemas.ts";
import type { OpenRequest, RecordedRequest } from "./recorded-request.ts";
import { tokensOf, type CacheSettings, type SimulatedCache, type WireCall } from "./wire/simulated-cache.ts";
import type { WireFormat, WireName } from "./wire/wire-format.ts";
import { embeddingsAt } from "./embeddings.ts";
import { wireFormatOf, wireFormats } from "./wire-formats.ts";

export interface RecordingModelServerOptions {
  /** Throws on disposal when there are `problems`. */
  readonly isStrict?: boolean;
  /** Absent: by path. */
  readonly wire?: WireName;
  /** OpenAI's own chat completions accept fewer tool schemas than compatible servers. */
  readonly isOpenai?: boolean;
  /**
   * For replies that set none. `reported` (default): constant, with 8 of 20 tokens read from a cache. `simulated`: what
   * the vendor's cache would do, with four bytes per token.
   */
  readonly usage?: "reported" | "absent" | "simulated";
  readonly cache?: CacheSettings;
}

const reportedUsage: ReplyUsage = { inputTokens: 20, outputTokens: 5, cacheReadTokens: 8 };

/**
 * A model endpoint on loopback that records its requests and speaks OpenAI's chat completions and responses,
 * Anthropic's messages, and Gemini's `generateContent`, streamed or not. It enforces the thinking bindings of
 * Anthropic's newer models, tool deferral, and OpenAI's tool schema rules; such rejections take no reply from the
 * queue. Queued replies answer model calls in order, in any format; without one, the reply is `Reply N` with the
 * request's number. `POST …/embeddings` and `…:batchEmbedContents` return vectors; `GET …/models` lists `models`; any
 * other path is 404.
 */
export class RecordingModelServer implements AsyncDisposable {
  /** Used when the queue is empty; `undefined`: the default. */
  answer: (body: string) => ModelReply | undefined = () => undefined;
  models: readonly string[] = ["test-model"];
  #server: Bun.Server<undefined>;
  readonly #requests: OpenRequest[] = [];
  readonly #queue: ModelReply[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #gates = new ChunkGates();
  readonly #options: RecordingModelServerOptions;
  readonly #caches = new Map<WireName, SimulatedCache>();
  readonly #bindings = new ThinkingBindings();
  #calls = 0;

  constructor(options: RecordingModelServerOptions = {}) {
    this.#options = options;
    this.#server = this.#listen(0);
  }

  /** With the API version, as a provider's `base_url`. Works for Gemini, too; see `urlOf`. */
  get url(): string {
    return this.urlOf("openai-chat");
  }

  /** Returns the base URL of a protocol, with the API version in its path. */
  urlOf(wire: WireName): string {
    return `http://127.0.0.1:${this.#server.port}${wireFormats[wire].basePath}`;
  }

  get requests(): readonly RecordedRequest[] {
    return this.#requests;
  }

  /** Under strict rules, with the number of the request, from 1. */
  get problems(): readonly string[] {
    return this.#requests.flatMap(({ wire, body }, index) => {
      if (wire === undefined) return [];
      const refusal = wire === "openai-chat" && this.#options.isOpenai === true ? chatToolRefusal(body) : undefined;
      const problems = [
        ...wireFormats[wire].problems(body),
        ...(refusal === undefined ? [] : [refusal.error.message]),
      ];
      return problems.map((problem) => `request ${index + 1}: ${problem}`);
    });
  }

  enqueue(...replies: readonly ModelReply[]): void {
    this.#queue.push(...replies);
  }

  /** Queues a reply per text. */
  enqueueText(...texts: readonly string[]): void {
    this.enqueue(...texts.map((text) => ({ kind: "text", chunks: [text] }) as const));
  }

  /** Queues a reply of one tool call. @param id Defaults to `call-N`, from 1. */
  enqueueCall(name: string, input: object = {}, id = `call-${(this.#calls += 1)}`): void {
    this.enqueue({ kind: "tool-calls", calls: [{ id, name, arguments: JSON.stringify(input) }] });
  }

  forget(): void {
    this.#requests.length = 0;
  }

  /** Further `release()` calls apply to future chunks. */
  get waitingChunks(): number {
    return this.#gates.waitingChunks;
  }

  release(): void {
    this.#gates.release();
  }

  releaseAll(): void {
    this.#gates.open(this.#requests);
  }

  /** Closes all open connections; new ones are accepted. */
  async cutConnections(): Promise<void> {
    const { port = 0 } = this.#server;
    await this.#server.stop(true);
    this.#server = this.#listen(port);
  }

  /** Checked after each request, disconnect and waiting chunk. */
  async waitFor(condition: (server: RecordingModelServer) => boolean): Promise<void> {
    while (!condition(this)) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  waitForRequests(count: number): Promise<void> {
    return this.waitFor(() => this.#requests.length >= count);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.releaseAll();
    await this.#server.stop(true);
    if (this.#options.isStrict === true && this.problems.length > 0)
      throw new Error(`Strict vendors would refuse what was sent: ${this.problems.join("; ")}`);
  }

  #listen(port: number): Bun.Server<undefined> {
    return Bun.serve({
      hostname: "127.0.0.1",
      port,
      idleTimeout: 0,
      fetch: (request) => this.#answer(request),
      // Otherwise each aborted body would be logged to stderr.
      error: () => new Response(undefined, { status: 500 }),
    });
  }

  #notify(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  async #answer(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname;
    const body = decode(await request.bytes());
    const wire = request.method === "POST" ? this.#wireOf(path) : undefined;
    const recorded: OpenRequest = {
      method: request.method,
      path,
      headers: Object.fromEntries(request.headers),
      body,
      receivedAtMs: performance.now(),
      firstByteAtMs: undefined,
      endedAtMs: undefined,
      isAborted: false,
      wire: wire?.name,
      isStreamed: wire?.isStreamed({ path, body }) === true,
      usage: undefined,
    };
    request.signal.addEventListener("abort", () => {
      recorded.isAborted = recorded.endedAtMs === undefined;
      this.#notify();
    });
    const number = this.#requests.push(recorded);
    this.#notify();
    if (path.endsWith("/models")) return Response.json(this.#listed(path));
    const embeddingsOf = request.method === "POST" ? embeddingsAt(path) : undefined;
    if (embeddingsOf !== undefined) return this.#embeddings(() => embeddingsOf(body), recorded);
    if (wire === undefined) return Response.json({ error: { message: `Unknown path ${path}` } }, { status: 404 });
    const refusal = this.#refusalOf(recorded);
    if (refusal !== undefined) return Response.json(refusal, { status: 400 });
    const reply = this.#queue.shift() ?? this.answer(body) ?? { kind: "text", chunks: [`Reply ${number}`] };
    if (reply.kind === "never") return new Promise(() => {});
    if (reply.kind === "error")
      return new Response(reply.breaks === true ? this.#broken(reply.body, recorded) : reply.body, {
        status: reply.status,
        headers: { "content-type": "application/json", ...reply.headers },
      });
    if (wire.name === "anthropic") this.#bindings.learn(recorded, reply);
    const usage = this.#usageOf(reply, { path, body, wire });
    recorded.usage = usage;
    if (!recorded.isStreamed) {
      recorded.firstByteAtMs = recorded.endedAtMs = performance.now();
      return new Response(wire.whole(reply, { usage, number }), {
        headers: { "content-type": "application/json" },
      });
    }
    const isGated = reply.kind === "text" && reply.gate === true;
    const chunks = wire.stream(reply, { usage, number });
    return new Response(this.#stream(chunks, { recorded, isGated }), {
      headers: { "content-type": "text/event-stream" },
    });
  }

  #listed(path: string): object {
    if (path.startsWith(wireFormats.gemini.basePath))
      return {
        models: this.models.map((id) => ({
          name: `models/${id}`,
          supportedGenerationMethods: ["generateContent"],
        })),
      };
    return { object: "list", data: this.models.map((id) => ({ id, object: "model" })), has_more: false };
  }

  #refusalOf(recorded: OpenRequest): object | undefined {
    if (recorded.wire === "openai-responses") return responsesToolRefusal(recorded.body);
    if (recorded.wire === "openai-chat" && this.#options.isOpenai === true) return chatToolRefusal(recorded.body);
    if (recorded.wire !== "anthropic") return undefined;
    const message = deferralRefusal(recorded.body) ?? this.#bindings.refusal(recorded);
    return message === undefined ? undefined : { type: "error", error: { type: "invalid_request_error", message } };
  }

  /** A queued error takes precedence. */
  #embeddings(answer: () => string, recorded: OpenRequest): Response | Promise<Response> {
    const reply = this.#queue.shift();
    if (reply?.kind === "never") return new Promise(() => {});
    recorded.firstByteAtMs = recorded.endedAtMs = performance.now();
    return reply?.kind === "error"
      ? new Response(reply.body, { status: reply.status, headers: reply.headers ?? {} })
      : new Response(answer(), { headers: { "content-type": "application/json" } });
  }

  #wireOf(path: string): WireFormat | undefined {
    const { wire } = this.#options;
    if (wire === undefined) return wireFormatOf(path);
    return wireFormats[wire].isCall(path) ? wireFormats[wire] : undefined;
  }

  #usageOf(reply: WrittenReply, call: CallOfWire): ReplyUsage | undefined {
    const simulated = this.#options.usage === "simulated" ? this.#simulate(reply, call) : undefined;
    const own = reply.kind === "text" || reply.kind === "tool-calls" ? reply.usage : undefined;
    const usage = own ?? this.#options.usage ?? "reported";
    if (usage === "absent") return undefined;
    if (usage === "simulated") return simulated;
    return usage === "reported" ? reportedUsage : usage;
  }

  #simulate(reply: WrittenReply, { wire, ...call }: CallOfWire): ReplyUsage {
    const cache = this.#caches.get(wire.name) ?? wire.newCache(this.#options.cache ?? {});
    this.#caches.set(wire.name, cache);
    return { ...cache.use(call), outputTokens: tokensOf(replySizeBytes(reply)) };
  }

  /** On `release()`: a client discards unread bytes when the connection breaks. */
  #broken(body: string | Uint8Array<ArrayBuffer>, recorded: OpenRequest): ReadableStream<Uint8Array> {
    const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
    let isSent = false;
    return new ReadableStream({
      pull: async (controller) => {
        if (!isSent && bytes.length > 0) controller.enqueue(bytes);
        else {
          await this.#gates.pass(recorded);
          controller.error();
        }
        isSent = true;
      },
    });
  }

  #stream(
    chunks: readonly string[],
    { recorded, isGated }: { readonly recorded: OpenRequest; readonly isGated: boolean },
  ): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder();
    let index = 0;
    return new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const chunk = chunks[index];
        if (chunk === undefined) {
          recorded.endedAtMs = performance.now();
          this.#notify();
          controller.close();
          return;
        }
        if (isGated && index > 0) {
          const passed = this.#gates.pass(recorded);
          this.#notify();
          await passed;
        }
        index += 1;
        recorded.firstByteAtMs ??= performance.now();
        controller.enqueue(encoder.encode(chunk));
      },
      cancel: () => {
        recorded.isAborted = true;
        this.#notify();
      },
    });
  }
}

interface CallOfWire extends WireCall {
  readonly wire: WireFormat;
}

/** `request.text()` would drop a byte order mark. @throws for invalid UTF-8, which could not be recorded unchanged. */
function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true, fatal: true }).decode(bytes);
}

export async function startRecordingModelServer(
  options: RecordingModelServerOptions = {},
): Promise<RecordingModelServer> {
  return new RecordingModelServer(options);
}
