import {
  brokenResponse,
  FaultyService,
  type ListeningServer,
  type ServiceFault,
} from "../faults/faulty-service.ts";
import { answerBotCall, type BotDraft, type BotState } from "./answer-bot-call.ts";
import { readBotCall, type BotCall } from "./bot-call.ts";
import { BotPerson } from "./bot-person.ts";
import { BotRefusal, type BotRefusalParameters } from "./bot-refusal.ts";
import { BotWorld, type BotChat, type BotFile, type BotMessage, type BotPlace } from "./bot-world.ts";
import { UpdateQueue, type BotUpdate } from "./update-queue.ts";

type Refusal = { readonly status: number; readonly description: string } & BotRefusalParameters;
export type BotFault = ServiceFault<Refusal>;

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
export class RecordingBotServer extends FaultyService<string, Refusal> {
  readonly token: string;
  readonly calls: RecordedBotCall[] = [];
  readonly #state: BotState;
  #isRevoked = false;
  #delivery = Promise.resolve();
  #lastUser = 5_000_000_000;

  constructor(options: RecordingBotServerOptions = {}) {
    super(options);
    const { token = "7000000001:AAtest-token_0123456789abcdefghijklm", username = "incipit_test_bot" } = options;
    this.token = token;
    const world = new BotWorld({ id: Number(token.split(":")[0]), is_bot: true, first_name: "Test", username });
    const queue = new UpdateQueue();
    queue.onChange = () => void this.deliver();
    this.#state = { world, queue, presses: new Map(), drafts: [], webhook: undefined, commands: [] };
    this.comeBack();
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

  bytesOf({ file_id: id }: BotFile): Uint8Array<ArrayBuffer> | undefined {
    return this.#state.world.file(id)?.bytes;
  }

  callsOf(method: string): readonly RecordedBotCall[] {
    return this.calls.filter((call) => call.method === method);
  }

  /** Adds a person, who has a private chat with the bot. */
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

  /** Delivers all updates again, including confirmed ones. */
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

  /** Stops at the first rejected update; the service would retry. */
  async deliver(): Promise<void> {
    this.notify();
    await (this.#delivery = this.#delivery.then(() => this.#deliverAll()));
    this.notify();
  }

  protected listen(port: number): ListeningServer {
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
      return response ?? brokenResponse();
    } catch (error) {
      if (!(error instanceof BotRefusal)) throw error;
      recorded.status = error.status;
      return error.toResponse();
    } finally {
      this.notify();
    }
  }

  async #call(request: Request, name: string, recorded: RecordedBotCall): Promise<Response | undefined> {
    const call = await readBotCall(request, name);
    Object.assign(recorded, { method: call.method, parameters: call.parameters, files: call.files });
    this.report(...call.problems);
    return this.withFaults(call.method, {
      refuse: (refusal) => new BotRefusal(refusal.status, refusal.description, refusal),
      answer: async () => {
        const result = await answerBotCall(call, this.#state, request.signal);
        if (call.method === "setWebhook") void this.deliver();
        return Response.json({ ok: true, result });
      },
    });
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
