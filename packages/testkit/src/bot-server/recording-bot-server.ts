import { answerBotCall, type BotDraft, type BotState } from "./answer-bot-call.ts";
import { readBotCall, type BotCall } from "./bot-call.ts";
import { BotPerson } from "./bot-person.ts";
import { BotRefusal, type BotRefusalParameters } from "./bot-refusal.ts";
import { BotWorld, type BotChat, type BotFile, type BotMessage, type BotPlace } from "./bot-world.ts";
import { UpdateQueue, type BotUpdate } from "./update-queue.ts";

export type BotFault =
  | ({ readonly kind: "refuse"; readonly status: number; readonly description: string } & BotRefusalParameters)
  /** The call takes effect if `isTaken`. */
  | { readonly kind: "cut"; readonly isTaken: boolean }
  /** Until `release()`. */
  | { readonly kind: "hold" }
  | { readonly kind: "flood" }
  /** A proxy answers instead. */
  | { readonly kind: "gateway"; readonly status: number };

export interface RecordedBotCall {
  readonly method: string;
  readonly parameters: BotCall["parameters"];
  readonly files: BotCall["files"];
  /** `undefined`: no response. */
  status: number | undefined;
}

export interface RecordingBotServerOptions {
  readonly token?: string;
  readonly username?: string;
  /** Throws on disposal when there are `problems`. */
  readonly isStrict?: boolean;
}

/**
 * Telegram's Bot API on loopback, for one bot: https://core.telegram.org/bots/api. Validates calls like the service and
 * records them; simulated people write, press buttons and send files; updates are polled or sent to a webhook.
 */
export class RecordingBotServer implements AsyncDisposable {
  readonly token: string;
  readonly calls: RecordedBotCall[] = [];
  readonly #state: BotState;
  readonly #options: RecordingBotServerOptions;
  readonly #problems: string[] = [];
  readonly #faults = new Map<string, BotFault[]>();
  readonly #waiting = new Set<() => void>();
  readonly #port: number;
  #server: Bun.Server<undefined> | undefined;
  #release = Promise.withResolvers<void>();
  #held = 0;
  #isRevoked = false;
  #delivery = Promise.resolve();
  #lastUser = 5_000_000_000;

  constructor(options: RecordingBotServerOptions = {}) {
    const { token = "7000000001:AAtest-token_0123456789abcdefghijklm", username = "incipit_test_bot" } = options;
    this.token = token;
    this.#options = options;
    const world = new BotWorld({ id: Number(token.split(":")[0]), is_bot: true, first_name: "Test", username });
    const queue = new UpdateQueue();
    queue.onChange = () => void this.deliver();
    this.#state = { world, queue, presses: new Map(), drafts: [], webhook: undefined, commands: [] };
    this.#server = this.#listen(0);
    this.#port = this.#server.port ?? 0;
  }

  /** Replaces `https://api.telegram.org`. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get sent(): readonly BotMessage[] {
    const { world } = this.#state;
    return world.allMessages().filter(({ from }) => from.id === world.bot.id);
  }

  get drafts(): readonly BotDraft[] {
    return this.#state.drafts;
  }

  get commands(): BotState["commands"] {
    return this.#state.commands;
  }

  get pending(): readonly BotUpdate[] {
    return this.#state.queue.pending;
  }

  get isPolled(): boolean {
    return this.#state.queue.isPolled;
  }

  get problems(): readonly string[] {
    return this.#problems;
  }

  bytesOf({ file_id: id }: BotFile): Uint8Array<ArrayBuffer> | undefined {
    return this.#state.world.file(id)?.bytes;
  }

  callsOf(method: string): readonly RecordedBotCall[] {
    return this.calls.filter((call) => call.method === method);
  }

  /** With a private chat. */
  person({ name = "Ada", id = (this.#lastUser += 1), username }: NewPerson = {}): BotPerson {
    const user = { id, is_bot: false, first_name: name, ...(username === undefined ? {} : { username }) };
    return new BotPerson(user, this.#state);
  }

  group({ title = "Group", isForum = false }: NewGroup = {}): BotPlace {
    const id = -1_000_000_000_000 - this.#state.world.nextNumber();
    const chat: BotChat = { id, type: "supergroup", title, ...(isForum ? { is_forum: true } : {}) };
    this.#state.world.open(chat);
    return { chat, threadId: undefined };
  }

  topic({ chat }: BotPlace): BotPlace {
    return { chat, threadId: this.#state.world.openTopic(chat.id) };
  }

  fail(method: string, ...faults: readonly BotFault[]): void {
    this.#faults.set(method, [...(this.#faults.get(method) ?? []), ...faults]);
  }

  get held(): number {
    return this.#held;
  }

  release(): void {
    this.#release.resolve();
    this.#release = Promise.withResolvers();
  }

  /** Including confirmed ones. */
  repeatUpdates(): void {
    this.#state.queue.repeatAll();
  }

  revokeToken(): void {
    this.#isRevoked = true;
    this.#state.queue.interrupt(new BotRefusal(401, "Unauthorized"));
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

  /** Checked after each call, update and waiting poll. */
  async waitFor(condition: (server: RecordingBotServer) => boolean): Promise<void> {
    while (!condition(this)) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  /** Stops at the first rejected update; the service would retry. */
  async deliver(): Promise<void> {
    this.#notify();
    await (this.#delivery = this.#delivery.then(() => this.#deliverAll()));
    this.#notify();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.release();
    await this.goDown();
    if (this.#options.isStrict === true && this.#problems.length > 0)
      throw new Error(`What the bot sent was hardly meant: ${this.#problems.join("; ")}`);
  }

  #listen(port: number): Bun.Server<undefined> {
    return Bun.serve({
      hostname: "127.0.0.1",
      port,
      idleTimeout: 0,
      fetch: (request) => this.#answer(request),
    });
  }

  async #deliverAll(): Promise<void> {
    const { queue } = this.#state;
    for (let [update] = queue.pending; update !== undefined; [update] = queue.pending) {
      const { webhook } = this.#state;
      if (webhook === undefined) return;
      const secret = webhook.secret === undefined ? {} : { "x-telegram-bot-api-secret-token": webhook.secret };
      const headers = { "content-type": "application/json", ...secret };
      const answer = await fetch(webhook.url, { method: "POST", headers, body: JSON.stringify(update) }).catch(
        () => undefined, // Redelivered, like after an error response.
      );
      if (answer?.ok !== true) return;
      queue.confirm(update.update_id + 1);
    }
  }

  #notify(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  async #answer(request: Request): Promise<Response> {
    const [, isFile, token, name = ""] = /^\/(file\/)?bot([^/]+)\/(.+)$/.exec(new URL(request.url).pathname) ?? [];
    if (token === undefined) return new BotRefusal(404, "Not Found").toResponse();
    if (decodeURIComponent(token) !== this.token || this.#isRevoked)
      return new BotRefusal(401, "Unauthorized").toResponse();
    if (isFile !== undefined) return this.#download(name);
    const recorded: RecordedBotCall = { method: name, parameters: {}, files: new Map(), status: undefined };
    this.calls.push(recorded);
    try {
      const response = await this.#call(request, name, recorded);
      recorded.status = response?.status;
      return response ?? cut();
    } catch (error) {
      if (!(error instanceof BotRefusal)) throw error;
      recorded.status = error.status;
      return error.toResponse();
    } finally {
      this.#notify();
    }
  }

  async #call(request: Request, name: string, recorded: RecordedBotCall): Promise<Response | undefined> {
    const call = await readBotCall(request, name);
    Object.assign(recorded, { method: call.method, parameters: call.parameters, files: call.files });
    this.#problems.push(...call.problems);
    const fault = this.#faults.get(call.method)?.shift();
    if (fault?.kind === "refuse") throw new BotRefusal(fault.status, fault.description, fault);
    if (fault?.kind === "gateway") return new Response("<html>Bad Gateway</html>", { status: fault.status });
    if (fault?.kind === "flood") return flood();
    if (fault?.kind === "cut" && !fault.isTaken) return undefined;
    if (fault?.kind === "hold") {
      this.#held += 1;
      this.#notify();
      await this.#release.promise;
      this.#held -= 1;
    }
    const result = await answerBotCall(call, this.#state, request.signal);
    if (call.method === "setWebhook") void this.deliver();
    return fault?.kind === "cut" ? undefined : Response.json({ ok: true, result });
  }

  #download(path: string): Response {
    const kept = this.#state.world.file(path.replace(/^files\//, ""));
    return kept === undefined ? new BotRefusal(404, "Not Found").toResponse() : new Response(kept.bytes);
  }
}

interface NewPerson {
  readonly name?: string;
  readonly id?: number;
  readonly username?: string;
}

interface NewGroup {
  readonly title?: string;
  readonly isForum?: boolean;
}

/** Ends before the first byte. */
function cut(): Response {
  return new Response(new ReadableStream({ start: (controller) => controller.error() }));
}

function flood(): Response {
  const piece = new TextEncoder().encode(" ".repeat(1_048_576));
  return new Response(new ReadableStream({ pull: (controller) => controller.enqueue(piece) }));
}
