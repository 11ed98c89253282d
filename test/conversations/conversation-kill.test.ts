import type { ConversationId, TurnEvent, TurnId } from "@incipit/schema";
import { chatRequestProblems, type ModelReply } from "@incipit/testkit";
import { ApiClientError, routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { inputsOf } from "../support/acknowledged.ts";
import type { HostProcess } from "../support/host-process.ts";
import { KillSwitch, killHosts, type Below, type KilledLife } from "../support/kills.ts";
import { World } from "../support/world.ts";
import { RequestWatch } from "./request-watch.ts";

interface Known {
  readonly id: ConversationId;
  readonly open: Map<TurnId, string>;
  readonly inputs: string[];
  seq: number;
}

const conversations = 20;
const maxEvents = 150;
const endTimeoutMs = 120_000;
const config = `system_prompt = "In conversation [prompt:conversation_id] since [system:time]: [file:AGENTS.md]"
tools.workspace = true`;

class Conversations implements KilledLife<Readonly<Record<string, number>>> {
  readonly #world: World;
  readonly #below: Below;
  readonly #watch = new RequestWatch(chatRequestProblems);
  readonly #known: Known[] = [];
  readonly #counts = { kills: 0, running: 0, acknowledged: 0, interrupted: 0, toolCalls: 0 };
  #note: () => void = () => {};
  #isRandom = false;
  #inputs = 0;

  private constructor(world: World, below: Below) {
    this.#world = world;
    this.#below = below;
    world.model.answer = (body) => {
      this.#watch.see(body);
      this.#note();
      return this.#isRandom ? this.#randomReply() : undefined;
    };
  }

  static async begin(below: Below): Promise<Conversations> {
    const life = new Conversations(await World.start({ config, files: { "AGENTS.md": "be brief" } }), below);
    await using host = await life.#world.host();
    for (let index = 0; index < conversations; index += 1) {
      const { id } = await host.createConversation();
      life.#known.push({ id, open: new Map(), inputs: [], seq: 0 });
    }
    return life;
  }

  async round(): Promise<void> {
    await using host = await this.#world.host();
    await this.#checkAll(host);
    await this.#work(host);
    this.#counts.kills += 1;
  }

  async end(): Promise<Readonly<Record<string, number>>> {
    await using host = await this.#world.host();
    await this.#checkAll(host);
    for (const { id, inputs } of this.#known) {
      const stored = (await inputsOf(host.client, id)).filter((input) => input.startsWith("Input "));
      expect(stored).toEqual(inputs.filter((input) => stored.includes(input)));
    }
    expect(await host.kill("SIGTERM")).toBe(0);
    return { ...this.#counts, compactions: this.#watch.compactions, requests: this.#watch.requests };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#world[Symbol.asyncDispose]();
  }

  async #checkAll(host: HostProcess): Promise<void> {
    const { status, problems } = await host.client.call(routes.getHealth);
    expect({ status, problems }).toEqual({ status: "ok", problems: [] });
    await Promise.all(
      this.#known.map(async (known) => {
        await this.#checkEvents(host, known);
        const input = this.#newInput(known);
        const events = await host.turn(known.id, { input });
        expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
        expect(this.#watch.last(known.id)).toContain(input);
        known.seq = events.at(-1)?.seq ?? 0;
      }),
    );
    // Ensures that at least one conversation is compacted.
    const [first] = this.#known;
    if (first !== undefined) await host.client.call(routes.compactConversation, { params: { id: first.id } });
    expect(this.#watch.problems).toEqual([]);
    this.#world.model.forget();
  }

  async #checkEvents({ client }: HostProcess, known: Known): Promise<void> {
    const ended = new Set<TurnId>();
    const isLeft = (): boolean => [...known.open.keys()].some((turnId) => !ended.has(turnId));
    const isDone = async (): Promise<boolean> => {
      if (isLeft()) return false;
      const { conversation } = await client.call(routes.getConversation, { params: { id: known.id } });
      return conversation.status === "idle" && conversation.lastSeq === known.seq;
    };
    const signal = AbortSignal.timeout(endTimeoutMs);
    if (!(await isDone()))
      for await (const event of client.followEvents(known.id, { afterSeq: known.seq, signal })) {
        this.#checkEvent(event, { known, ended });
        if (!isLeft() && (await isDone())) break;
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

  async #work(host: HostProcess): Promise<void> {
    const onKill = (): void => {
      this.#counts.running += this.#known.filter(({ open }) => open.size > 0).length;
    };
    using killing = new KillSwitch(host, { events: 1 + this.#below(maxEvents), onKill });
    this.#note = () => killing.note();
    this.#isRandom = true;
    // Ticks count as events, since all conversations may be waiting for a silent model.
    const ticks = setInterval(this.#note, 20);
    await Promise.all(this.#known.map((known) => killing.repeat(() => this.#act(host, known))));
    clearInterval(ticks);
    this.#isRandom = false;
    this.#note = () => {};
  }

  async #act(host: HostProcess, known: Known): Promise<void> {
    const { id } = known;
    const dice = this.#below(10);
    if (dice < 3) {
      await host.client.call(routes.compactConversation, { params: { id } }).catch(expectCompactionFailure);
    } else if (dice === 3) {
      await host.client.call(routes.stopConversation, { params: { id } });
    } else if (dice === 4) {
      for (let count = this.#below(3); count >= 0; count -= 1) await this.#send(host, known);
    } else {
      const turnId = await this.#send(host, known);
      for await (const event of host.client.followEvents(id, { afterSeq: known.seq })) {
        this.#note();
        if (event.type === "turn-end" && event.turnId === turnId) return;
      }
    }
  }

  async #send(host: HostProcess, known: Known): Promise<TurnId> {
    const input = this.#newInput(known);
    const turnId = await host.send(known.id, input);
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
}

function expectCompactionFailure(error: unknown): void {
  if (error instanceof ApiClientError && ["MODEL_FAILED", "NOTHING_TO_COMPACT"].includes(error.code)) return;
  throw error;
}

/** `CONVERSATION_KILLS=1000` takes ten minutes on two processors. */
test("[never-lost] repeated SIGKILL under 20 conversations keeps acknowledged data, and requests stay valid", async () => {
  const options = { name: "CONVERSATION", kills: 200, folders: 4 };
  const { kills, counts } = await killHosts(options, (below) => Conversations.begin(below));

  const names = ["kills", "running", "acknowledged", "interrupted", "compactions", "toolCalls", "requests"];
  const totals = names.map((name) => counts.reduce((sum, count) => sum + (count[name] ?? 0), 0));
  process.stderr.write(`${names.map((name, index) => `${totals[index]} ${name}`).join(", ")}\n`);
  expect(totals[0]).toBe(kills);
  for (const total of totals) expect(total).toBeGreaterThan(0);
}, 1_800_000);
