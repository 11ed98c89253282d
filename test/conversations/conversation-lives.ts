import type { ConversationId, TurnEvent, TurnId } from "@incipit/schema";
import {
  chatRequestProblems,
  createTempFolder,
  startRecordingModelServer,
  type ModelReply,
  type RecordingModelServer,
} from "@incipit/testkit";
import {
  ApiClientError,
  createClient,
  routes,
  turnAcceptedResponseSchema,
  type Client,
} from "@incipit/transport-contract";
import { expect } from "bun:test";
import { join } from "node:path";
import { HostProcess, type HostProcessOptions } from "../support/host-process.ts";
import { randomNumbers } from "../support/random-numbers.ts";
import { RequestWatch } from "./request-watch.ts";

export interface KillCounts {
  readonly kills: number;
  readonly running: number;
  readonly acknowledged: number;
  readonly interrupted: number;
  readonly compactions: number;
  readonly toolCalls: number;
  readonly requests: number;
}

interface Known {
  readonly id: ConversationId;
  readonly open: Map<TurnId, string>;
  readonly inputs: string[];
  seq: number;
}

const maxEvents = 150;

const endTimeoutMs = 120_000;

export class ConversationLives implements AsyncDisposable {
  readonly #options: HostProcessOptions;
  readonly #model: RecordingModelServer;
  readonly #watch = new RequestWatch(chatRequestProblems);
  readonly #random: () => number;
  readonly #known: Known[] = [];
  readonly #scope: AsyncDisposableStack;
  readonly #counts = { kills: 0, running: 0, acknowledged: 0, interrupted: 0, toolCalls: 0 };
  #note: () => void = () => {};
  #isRandom = false;
  #inputs = 0;

  private constructor(
    scope: AsyncDisposableStack,
    options: HostProcessOptions,
    { model, random }: { readonly model: RecordingModelServer; readonly random: () => number },
  ) {
    this.#scope = scope;
    this.#options = options;
    this.#model = model;
    this.#random = random;
    model.answer = (body) => {
      this.#watch.see(body);
      this.#note();
      return this.#isRandom ? this.#randomReply() : undefined;
    };
  }

  static async begin({
    seed,
    conversations,
  }: {
    readonly seed: number;
    readonly conversations: number;
  }): Promise<ConversationLives> {
    const scope = new AsyncDisposableStack();
    const { path } = scope.use(await createTempFolder());
    const model = scope.use(await startRecordingModelServer());
    const options = { data: join(path, "data"), config: join(path, "incipit.toml"), cwd: path };
    await Bun.write(join(path, "AGENTS.md"), "be brief");
    await Bun.write(
      options.config,
      `model = "local/test"\nsystem_prompt = "In conversation [prompt:conversation_id] since [system:time]: [file:AGENTS.md]"
tools.workspace = true\n[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"\n`,
    );
    const lives = new ConversationLives(scope, options, { model, random: randomNumbers(seed) });
    await using host = await HostProcess.start(options);
    for (let index = 0; index < conversations; index += 1) {
      const { id } = await host.createConversation();
      lives.#known.push({ id, open: new Map(), inputs: [], seq: 0 });
    }
    return lives;
  }

  async round(): Promise<void> {
    await using host = await HostProcess.start(this.#options);
    const client = createClient({ url: host.url, token: host.token });
    await this.#checkAll(host, client);
    await this.#work(host, client);
    this.#counts.kills += 1;
  }

  async end(): Promise<KillCounts> {
    await using host = await HostProcess.start(this.#options);
    const client = createClient({ url: host.url, token: host.token });
    await this.#checkAll(host, client);
    for (const { id, inputs } of this.#known) {
      const stored = await inputsOf(client, id);
      expect(stored).toEqual(inputs.filter((input) => stored.includes(input)));
    }
    expect(await host.kill("SIGTERM")).toBe(0);
    return { ...this.#counts, compactions: this.#watch.compactions, requests: this.#watch.requests };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#scope.disposeAsync();
  }

  async #checkAll(host: HostProcess, client: Client): Promise<void> {
    const { status, problems } = await client.call(routes.getHealth);
    expect({ status, problems }).toEqual({ status: "ok", problems: [] });
    await Promise.all(
      this.#known.map(async (known) => {
        await this.#checkEvents(client, known);
        const input = this.#newInput(known);
        const events = await host.turn(known.id, { input });
        expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
        expect(this.#watch.last(known.id)).toContain(input);
        known.seq = events.at(-1)?.seq ?? 0;
      }),
    );
    // Ensures that at least one conversation is compacted.
    const [first] = this.#known;
    if (first !== undefined) await client.call(routes.compactConversation, { params: { id: first.id } });
    expect(this.#watch.problems).toEqual([]);
    this.#model.forget();
  }

  async #checkEvents(client: Client, known: Known): Promise<void> {
    const ended = new Set<TurnId>();
    const signal = AbortSignal.timeout(endTimeoutMs);
    const isDone = async (): Promise<boolean> => {
      if ([...known.open.keys()].some((turnId) => !ended.has(turnId))) return false;
      const { conversation } = await client.call(routes.getConversation, { params: { id: known.id } });
      return conversation.status === "idle" && conversation.lastSeq === known.seq;
    };
    if (!(await isDone())) {
      for await (const event of client.followEvents(known.id, { afterSeq: known.seq, signal })) {
        this.#checkEvent(event, { known, ended });
        const isLeft = [...known.open.keys()].some((turnId) => !ended.has(turnId));
        if (!isLeft && (await isDone())) break;
      }
    }
    known.open.clear();
  }

  #checkEvent(event: TurnEvent, { known, ended }: { readonly known: Known; readonly ended: Set<TurnId> }): void {
    const first = "fromSeq" in event ? (event.fromSeq ?? event.seq) : event.seq;
    expect(first).toBe(known.seq + 1);
    known.seq = event.seq;
    expect(ended.has(event.turnId)).toBe(false);
    const input = known.open.get(event.turnId);
    if (event.type === "turn-start" && input !== undefined) expect(event.input).toBe(input);
    if (event.type === "tool-call-end") this.#counts.toolCalls += 1;
    if (event.type !== "turn-end") return;
    ended.add(event.turnId);
    if (event.status === "interrupted") this.#counts.interrupted += 1;
  }

  async #work(host: HostProcess, client: Client): Promise<void> {
    const dead = new AbortController();
    let left = 1 + this.#below(maxEvents);
    this.#note = (): void => {
      left -= 1;
      if (left > 0 || dead.signal.aborted) return;
      dead.abort();
      this.#counts.running += this.#known.filter(({ open }) => open.size > 0).length;
      void host.kill("SIGKILL");
    };
    this.#isRandom = true;
    // Ticks count as events, since all conversations may be waiting for a silent model.
    const ticks = setInterval(this.#note, 20);
    await Promise.all(
      this.#known.map(async (known) => {
        try {
          while (!dead.signal.aborted) await this.#act({ host, client, known });
        } catch (error) {
          // Errors before the kill are failures; errors after it are expected.
          if (!dead.signal.aborted) throw error;
        }
      }),
    );
    clearInterval(ticks);
    this.#isRandom = false;
    this.#note = () => {};
  }

  async #act({
    host,
    client,
    known,
  }: {
    readonly host: HostProcess;
    readonly client: Client;
    readonly known: Known;
  }): Promise<void> {
    const { id } = known;
    const dice = this.#below(10);
    if (dice < 3) {
      await client.call(routes.compactConversation, { params: { id } }).catch(expectCompactionFailure);
    } else if (dice === 3) {
      await client.call(routes.stopConversation, { params: { id } });
    } else if (dice === 4) {
      for (let count = this.#below(3); count >= 0; count -= 1) await this.#send(host, known);
    } else {
      const turnId = await this.#send(host, known);
      for await (const event of client.followEvents(id, { afterSeq: known.seq })) {
        this.#note();
        if (event.type === "turn-end" && event.turnId === turnId) return;
      }
    }
  }

  async #send(host: HostProcess, known: Known): Promise<TurnId> {
    const input = this.#newInput(known);
    const path = `/conversations/${known.id}/turns`;
    const accepted = await host.json(path, { body: { input }, headers: { prefer: "respond-async" } });
    const { turnId } = turnAcceptedResponseSchema.parse(accepted);
    known.open.set(turnId, input);
    this.#counts.acknowledged += 1;
    return turnId;
  }

  #newInput({ id, inputs }: Known): string {
    const input = `Input ${(this.#inputs += 1)} of ${id}`;
    inputs.push(input);
    return input;
  }

  #randomReply(): ModelReply {
    const dice = this.#below(20);
    const id = `call_${this.#below(1_000_000)}`;
    const read = { id, name: "read_file", arguments: '{"path":"AGENTS.md"}' };
    if (dice < 6)
      return { kind: "tool-calls", calls: [read, { ...read, id: `${id}b`, name: "list_folder", arguments: "{}" }] };
    // Needs approval, which is never given.
    if (dice < 7)
      return { kind: "tool-calls", calls: [{ id, name: "shell", arguments: '{"command":"true"}' }, read] };
    if (dice < 8) return { kind: "tool-calls", calls: [{ id, name: "read_file", arguments: '{"path":' }] };
    if (dice < 9) return { kind: "error", status: 400, body: '{"error":{"message":"no"}}' };
    if (dice < 10) return { kind: "cut", chunks: ["Cut ", "off"] };
    if (dice < 12) return { kind: "never" };
    return { kind: "text", chunks: Array.from({ length: 1 + this.#below(5) }, (_, index) => `Part ${index} `) };
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }
}

function expectCompactionFailure(error: unknown): void {
  if (error instanceof ApiClientError && ["MODEL_FAILED", "NOTHING_TO_COMPACT"].includes(error.code)) return;
  throw error;
}

async function inputsOf(client: Client, id: ConversationId): Promise<readonly string[]> {
  const inputs: string[] = [];
  for (let cursor: string | undefined; ;) {
    const query = { limit: 1_000, ...(cursor === undefined ? {} : { cursor }) };
    const page = await client.call(routes.listMessages, { params: { id }, query });
    for (const { role, parts, carriedFrom } of page.messages)
      if (role === "user" && carriedFrom === undefined)
        inputs.push(...parts.flatMap((part) => (part.type === "text" ? [part.text] : [])));
    cursor = page.nextCursor;
    if (cursor === undefined) return inputs.filter((input) => input.startsWith("Input "));
  }
}
