import { chatRequestProblems } from "./chat-request-problems.ts";
import { completionBody, streamChunks } from "./openai-chat-reply.ts";

/** What the server answers to one request. Those that were put in the queue come first, then the default. */
export type ModelReply =
  /** Text in as many chunks as given. `gate`: each event but the first, those of the end included, waits for one `release()`. */
  | {
      readonly kind: "text";
      readonly chunks: readonly string[];
      readonly gate?: boolean;
      readonly reasoning?: string;
      readonly usage?: "reported" | "absent";
    }
  | {
      readonly kind: "tool-calls";
      readonly calls: readonly {
        readonly id: string;
        readonly name: string;
        /** JSON text; several: one event each. */
        readonly arguments: string | readonly string[];
        /** Wanted back with the call, in the place where Gemini's OpenAI endpoint has it. */
        readonly thoughtSignature?: string;
      }[];
      readonly reasoning?: string;
      /** The body is over after the calls, without its end. */
      readonly isCut?: boolean;
    }
  | {
      readonly kind: "error";
      readonly status: number;
      readonly body: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "broken-json" }
  /** Some text, then the body is over without its end. For a connection that breaks, see `cutConnections`. */
  | { readonly kind: "cut"; readonly chunks: readonly string[] }
  /** Some text, then an error as an event of the stream. Not streamed: the error alone. */
  | {
      readonly kind: "error-event";
      readonly chunks: readonly string[];
      readonly error: { readonly message: string; readonly code?: string | number };
    }
  /** Accepts the request and never answers. */
  | { readonly kind: "never" };

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As it came, byte for byte. */
  readonly body: string;
  /** `performance.now()` when the request was whole, and when the last byte of the reply was handed over. */
  readonly receivedAtMs: number;
  readonly firstByteAtMs: number | undefined;
  readonly endedAtMs: number | undefined;
  /** The client closed the connection before the reply was whole. */
  readonly isAborted: boolean;
}

export interface RecordingModelServerOptions {
  /** When it is disposed of, it throws when there are `problems`. */
  readonly isStrict?: boolean;
}

type MutableRequest = { -readonly [Key in keyof RecordedRequest]: RecordedRequest[Key] };

/**
 * A model endpoint on loopback that speaks OpenAI's chat protocol, streaming and not, and keeps what it was sent.
 *
 * Replies of the queue answer `POST /v1/chat/completions` in their order; when it is empty, the text is `Reply N`, N being
 * the number of the request. `GET /v1/models` has one model; any other path is 404. Every request is kept.
 */
export class RecordingModelServer implements AsyncDisposable {
  /** What a request gets when the queue is empty; `undefined`: the default. */
  answer: (body: string) => ModelReply | undefined = () => undefined;
  #server: Bun.Server<undefined>;
  readonly #requests: MutableRequest[] = [];
  readonly #queue: ModelReply[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #gates: (() => void)[] = [];
  readonly #ungated = new WeakSet<RecordedRequest>();
  #released = 0;

  readonly #isStrict: boolean;

  constructor({ isStrict = false }: RecordingModelServerOptions = {}) {
    this.#isStrict = isStrict;
    this.#server = this.#listen(0);
  }

  /** With its version: what `base_url` of a provider takes. */
  get url(): string {
    return `http://127.0.0.1:${this.#server.port}/v1`;
  }

  get requests(): readonly RecordedRequest[] {
    return this.#requests;
  }

  /** What strict vendors would refuse in the calls of models, with the number of the request, which counts from 1. */
  get problems(): readonly string[] {
    return this.#requests.flatMap(({ method, path, body }, index) =>
      method === "POST" && path === "/v1/chat/completions"
        ? chatRequestProblems(body).map((problem) => `request ${index + 1}: ${problem}`)
        : [],
    );
  }

  enqueue(...replies: readonly ModelReply[]): void {
    this.#queue.push(...replies);
  }

  /** Drops the requests that were kept. */
  forget(): void {
    this.#requests.length = 0;
  }

  /** Gated chunks that wait: a `release()` beyond them counts for one that comes later. */
  get waitingChunks(): number {
    return this.#gates.length;
  }

  /** Lets the next gated chunk go. */
  release(): void {
    const gate = this.#gates.shift();
    if (gate === undefined) this.#released += 1;
    else gate();
  }

  /** Lets all gated chunks of the replies go that were asked for until now. */
  releaseAll(): void {
    for (const request of this.#requests) this.#ungated.add(request);
    for (const gate of this.#gates.splice(0)) gate();
  }

  /** Breaks every open connection, in the middle of whatever it carries; new ones are taken again. */
  async cutConnections(): Promise<void> {
    const { port = 0 } = this.#server;
    await this.#server.stop(true);
    this.#server = this.#listen(port);
  }

  /** Resolves when so many requests have come, or so many clients have gone. */
  async waitFor(condition: (server: RecordingModelServer) => boolean): Promise<void> {
    while (!condition(this)) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  waitForRequests(count: number): Promise<void> {
    return this.waitFor(() => this.#requests.length >= count);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const gate of this.#gates) gate();
    await this.#server.stop(true);
    if (this.#isStrict && this.problems.length > 0)
      throw new Error(`Strict vendors would refuse what was sent: ${this.problems.join("; ")}`);
  }

  #listen(port: number): Bun.Server<undefined> {
    return Bun.serve({
      hostname: "127.0.0.1",
      port,
      idleTimeout: 0,
      fetch: (request) => this.#answer(request),
    });
  }

  #notify(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  async #answer(request: Request): Promise<Response> {
    const recorded: MutableRequest = {
      method: request.method,
      path: new URL(request.url).pathname,
      headers: Object.fromEntries(request.headers),
      body: decode(await request.bytes()),
      receivedAtMs: performance.now(),
      firstByteAtMs: undefined,
      endedAtMs: undefined,
      isAborted: false,
    };
    request.signal.addEventListener("abort", () => {
      recorded.isAborted = recorded.endedAtMs === undefined;
      this.#notify();
    });
    this.#requests.push(recorded);
    this.#notify();
    if (recorded.path === "/v1/models")
      return Response.json({ object: "list", data: [{ id: "test-model", object: "model" }] });
    if (recorded.path !== "/v1/chat/completions")
      return Response.json({ error: { message: `Unknown path ${recorded.path}` } }, { status: 404 });
    const reply = this.#queue.shift() ??
      this.answer(recorded.body) ?? { kind: "text", chunks: [`Reply ${this.#requests.length}`] };
    if (reply.kind === "never") return new Promise(() => {});
    if (reply.kind === "error")
      return new Response(reply.body, {
        status: reply.status,
        headers: { "content-type": "application/json", ...reply.headers },
      });
    const isStreamed = /"stream"\s*:\s*true/.test(recorded.body);
    if (!isStreamed) {
      recorded.firstByteAtMs = recorded.endedAtMs = performance.now();
      return new Response(completionBody(reply), { headers: { "content-type": "application/json" } });
    }
    return new Response(this.#stream(reply, recorded), { headers: { "content-type": "text/event-stream" } });
  }

  #stream(
    reply: Exclude<ModelReply, { kind: "never" | "error" }>,
    recorded: MutableRequest,
  ): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder();
    const chunks = streamChunks(reply);
    const isGated = reply.kind === "text" && reply.gate === true;
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
        if (isGated && index > 0 && !this.#ungated.has(recorded)) await this.#passGate();
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

  #passGate(): Promise<void> {
    if (this.#released > 0) {
      this.#released -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#gates.push(resolve));
  }
}

/** `request.text()` would drop a byte order mark. @throws for bytes that are no UTF-8: a body that is not kept as it came. */
function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true, fatal: true }).decode(bytes);
}

export async function startRecordingModelServer(
  options: RecordingModelServerOptions = {},
): Promise<RecordingModelServer> {
  return new RecordingModelServer(options);
}
