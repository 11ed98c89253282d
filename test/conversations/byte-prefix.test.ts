import type { ConversationId, TurnEvent, TurnStatus } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import type { HostProcess } from "../support/host-process.ts";
import { prefixOf } from "../support/request-body.ts";
import { World } from "../support/world.ts";

const readAgents = { id: "call_1", name: "read_file", arguments: '{"path":"AGENTS.md"}' };
const config = `system_prompt = "[system:time] [file:AGENTS.md]"
tools.workspace = true
subagents.enabled = true`;

class Talk implements AsyncDisposable {
  readonly world: World;
  host: HostProcess;
  readonly id: ConversationId;

  private constructor(world: World, host: HostProcess, id: ConversationId) {
    this.world = world;
    this.host = host;
    this.id = id;
  }

  static async begin(): Promise<Talk> {
    const world = await World.start({ config, model: { isStrict: true }, files: { "AGENTS.md": "be brief" } });
    const host = await world.host();
    const talk = new Talk(world, host, (await host.createConversation()).id);
    world.model.enqueueCall("read_file", { path: "AGENTS.md" });
    await talk.turn("one");
    return talk;
  }

  get client(): Client {
    return this.host.client;
  }

  async restart(signal: "SIGKILL" | "SIGTERM", env: Readonly<Record<string, string>> = {}): Promise<number> {
    const exitCode = await this.host.kill(signal);
    this.host = await this.world.host({ env });
    return exitCode;
  }

  async sees(fits: (event: TurnEvent) => boolean): Promise<void> {
    for await (const event of this.client.followEvents(this.id, { afterSeq: 0 })) if (fits(event)) return;
  }

  async stop(): Promise<void> {
    await this.client.call(routes.stopConversation, { params: { id: this.id } });
  }

  async turn(input: string, status: TurnStatus = "completed", id: ConversationId = this.id): Promise<void> {
    const events = await this.host.turn(id, { input });
    expect(events.at(-1)).toMatchObject({ type: "turn-end", status });
  }

  async turnInFlight(input: string, requests: number): Promise<{ readonly ended: Promise<unknown> }> {
    const { model } = this.world;
    const count = model.requests.length + requests;
    const ended = Promise.allSettled([this.host.turn(this.id, { input })]);
    await model.waitForRequests(count);
    return { ended };
  }

  async expectPrefixes(requests: number): Promise<void> {
    const { bodies } = this.world;
    expect(bodies).toHaveLength(requests);
    let shared = 0;
    let sent = 0;
    for (const [index, body] of bodies.slice(1).entries()) {
      const before = prefixOf(bodies[index] ?? "");
      expect(body).toStartWith(before);
      shared += body.startsWith(before) ? before.length : 0;
      sent += before.length;
    }
    expect(shared / sent).toBe(1);
    const params = { id: this.id };
    const { steps } = await this.client.call(routes.listSteps, { params, query: { limit: 1_000 } });
    expect(steps.slice(1).map(({ firstDifference }) => firstDifference)).toEqual(steps.slice(1).map(() => null));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.world[Symbol.asyncDispose]();
  }
}

test("[byte-prefix] over restarts: orderly, SIGKILL when idle, and SIGKILL during a reply", async () => {
  await using talk = await Talk.begin();
  const { world } = talk;
  await world.write("AGENTS.md", "be long");
  expect(await talk.restart("SIGTERM")).toBe(0);
  await talk.turn("two");
  await talk.restart("SIGKILL");
  world.model.enqueue({ kind: "text", chunks: ["Half", " a reply"], gate: true });
  const { ended } = await talk.turnInFlight("three", 1);
  await talk.sees((event) => event.type === "text-delta" && event.text === "Half");
  await talk.restart("SIGKILL");
  await ended;
  await talk.turn("four");

  await talk.expectPrefixes(5);
  expect(world.lastBody).toContain('"Half"');
});

test("[byte-prefix] over stop: during a reply, and while a tool waits for approval", async () => {
  await using talk = await Talk.begin();
  const { world } = talk;
  world.model.enqueue({ kind: "text", chunks: ["Half", " a reply"], gate: true });
  const reply = await talk.turnInFlight("two", 1);
  await talk.sees((event) => event.type === "text-delta" && event.text === "Half");
  await talk.stop();
  await reply.ended;
  world.model.enqueue({
    kind: "tool-calls",
    calls: [
      { id: "call_2", name: "shell", arguments: '{"command":"true"}' },
      { ...readAgents, id: "call_3" },
    ],
  });
  const tool = await talk.turnInFlight("three", 1);
  await talk.sees(({ type }) => type === "approval-request");
  await talk.stop();
  await tool.ended;
  await talk.turn("four");

  await talk.expectPrefixes(5);
});

test("[byte-prefix] over failed steps: before and during the reply, truncation, broken JSON, no answer", async () => {
  await using talk = await Talk.begin();
  const { world } = talk;
  const failures = [
    { kind: "error", status: 400, body: '{"error":{"message":"no"}}' },
    { kind: "error-event", chunks: ["Some"], error: { message: "no" } },
    { kind: "cut", chunks: ["Some", " more"] },
    { kind: "broken-json" },
    { kind: "tool-calls", calls: [{ ...readAgents, id: "call_2" }], isCut: true },
  ] as const;

  for (const [index, failure] of failures.entries()) {
    world.model.enqueue(failure);
    // A call that has only begun is requested again.
    await talk.turn(`${index}`, failure.kind === "tool-calls" ? "completed" : "failed");
  }
  world.model.enqueue({ kind: "never" });
  const { ended } = await talk.turnInFlight("never", 1);
  await world.model.cutConnections();
  await ended;
  await talk.turn("last");

  await talk.expectPrefixes(world.model.requests.length);
  expect(world.model.requests.length).toBeGreaterThanOrEqual(2 + failures.length + 2);
});

test("[byte-prefix] over retries: identical bytes", async () => {
  await using talk = await Talk.begin();
  const { world } = talk;
  const headers = { "retry-after": "0" };
  world.model.enqueue(
    { kind: "error", status: 503, body: '{"error":{"message":"busy"}}', headers },
    { kind: "error", status: 429, body: '{"error":{"message":"slow down"}}', headers },
  );
  await talk.turn("two");
  await talk.turn("three");

  const bodies = world.bodies;
  expect(new Set(bodies.slice(2, 5)).size).toBe(1);
  await talk.expectPrefixes(6);
});

test("[byte-prefix] over forks, up to the fork", async () => {
  await using talk = await Talk.begin();
  const { world } = talk;
  await talk.turn("two");
  const before = world.lastBody;
  await world.write("AGENTS.md", "be long");
  const { conversation } = await talk.client.call(routes.forkConversation, { params: { id: talk.id }, body: {} });
  await talk.turn("three", "completed", conversation.id);
  const ofFork = world.lastBody;
  await talk.turn("drei");

  expect(ofFork).toStartWith(prefixOf(before));
  expect(world.lastBody).toStartWith(prefixOf(before));
});

async function untilDraining(
  client: Client,
  { id, signal }: { readonly id: string; readonly signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    const { extension } = await client.call(routes.getExtension, { params: { id } });
    if (extension.draining !== null) return;
  }
}

test("[byte-prefix] over a swap of each extension, between turns and during a reply", async () => {
  await using talk = await Talk.begin();
  const { world } = talk;
  const { extensions } = await talk.client.call(routes.listExtensions);
  const swap = async (id: string): Promise<void> => {
    const { outcome } = await talk.client.call(routes.swapExtension, { params: { id }, body: {} });
    expect({ id, outcome }).toEqual({ id, outcome: "swapped" });
  };

  for (const { id } of extensions) {
    await swap(id);
    await talk.turn(`behind the swap of ${id}`);
    world.model.enqueue({ kind: "text", chunks: ["Half", " a reply"], gate: true });
    const { ended } = await talk.turnInFlight(`during the swap of ${id}`, 1);
    const swapped = swap(id);
    // Ends immediately unless the swap has to wait for the reply.
    const isOver = new AbortController();
    const ending = swapped.then(() => isOver.abort());
    await Promise.race([ending, untilDraining(talk.client, { id, signal: isOver.signal })]);
    world.model.releaseAll();
    await Promise.all([swapped, ended]);
  }

  await talk.expectPrefixes(2 + 2 * extensions.length);
});

test("[byte-prefix] over a clock set back a day and forward a year", async () => {
  await using talk = await Talk.begin();
  const { world } = talk;
  const shiftClock = join(world.home, "shift-clock.ts");
  await Bun.write(
    shiftClock,
    `const now = Date.now.bind(Date); Date.now = () => now() + Number(process.env.CLOCK_SHIFT_MS);`,
  );
  const dayMs = 86_400_000;
  for (const shiftMs of [-dayMs, 365 * dayMs, 0]) {
    await talk.restart("SIGTERM", { BUN_OPTIONS: `--preload ${shiftClock}`, CLOCK_SHIFT_MS: String(shiftMs) });
    await talk.turn(`${shiftMs}`);
    const { conversation } = await talk.client.call(routes.getConversation, { params: { id: talk.id } });
    expect(Math.abs(Date.parse(conversation.updatedAt) - Date.now() - shiftMs)).toBeLessThan(3_600_000);
  }

  await talk.expectPrefixes(5);
});
