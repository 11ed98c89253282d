import type { ConversationId, TurnStatus } from "@incipit/schema";
import { createTempFolder, startRecordingModelServer, type RecordingModelServer } from "@incipit/testkit";
import { createClient, routes, type Client } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { HostProcess } from "../support/host-process.ts";
import { prefixOf } from "../support/request-body.ts";

const readAgents = { id: "call_1", name: "read_file", arguments: '{"path":"AGENTS.md"}' };

class World implements AsyncDisposable {
  readonly folder: string;
  readonly model: RecordingModelServer;
  readonly #scope: AsyncDisposableStack;
  #host: HostProcess | undefined;
  #id: ConversationId | undefined;

  private constructor(
    scope: AsyncDisposableStack,
    { folder, model }: { readonly folder: string; readonly model: RecordingModelServer },
  ) {
    this.#scope = scope;
    this.folder = folder;
    this.model = model;
  }

  static async begin(): Promise<World> {
    const scope = new AsyncDisposableStack();
    const { path: folder } = scope.use(await createTempFolder());
    const model = scope.use(await startRecordingModelServer({ isStrict: true }));
    await Bun.write(join(folder, "AGENTS.md"), "be brief");
    await Bun.write(
      join(folder, "incipit.toml"),
      `model = "local/test"\nsystem_prompt = "[system:time] [file:AGENTS.md]"\ntools.workspace = true
subagents.enabled = true
[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"\n`,
    );
    const world = new World(scope, { folder, model });
    await world.start();
    world.#id = (await world.host.createConversation()).id;
    model.enqueue({ kind: "tool-calls", calls: [readAgents] });
    await world.turn("one");
    return world;
  }

  get host(): HostProcess {
    if (this.#host === undefined) throw new Error("There is no host");
    return this.#host;
  }

  get client(): Client {
    return createClient({ url: this.host.url, token: this.host.token });
  }

  get id(): ConversationId {
    if (this.#id === undefined) throw new Error("There is no conversation");
    return this.#id;
  }

  async start(env: Readonly<Record<string, string>> = {}): Promise<void> {
    const options = {
      data: join(this.folder, "data"),
      config: join(this.folder, "incipit.toml"),
      cwd: this.folder,
    };
    this.#host = this.#scope.use(await HostProcess.start({ ...options, env }));
  }

  async turn(input: string, status: TurnStatus = "completed", id: ConversationId = this.id): Promise<void> {
    const events = await this.host.turn(id, { input });
    expect(events.at(-1)).toMatchObject({ type: "turn-end", status });
  }

  async turnInFlight(input: string, requests: number): Promise<{ readonly ended: Promise<unknown> }> {
    const count = this.model.requests.length + requests;
    const ended = Promise.allSettled([this.host.turn(this.id, { input })]);
    await this.model.waitForRequests(count);
    return { ended };
  }

  async expectPrefixes(requests: number): Promise<void> {
    const bodies = this.model.requests.map(({ body }) => body);
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
    const { steps } = await this.client.call(routes.listSteps, {
      params: { id: this.id },
      query: { limit: 1_000 },
    });
    expect(steps.slice(1).map(({ firstDifference }) => firstDifference)).toEqual(steps.slice(1).map(() => null));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#scope.disposeAsync();
  }
}

test("[byte-prefix] over restarts: orderly, SIGKILL when idle, and SIGKILL during a reply", async () => {
  await using world = await World.begin();
  await Bun.write(join(world.folder, "AGENTS.md"), "be long");
  expect(await world.host.kill("SIGTERM")).toBe(0);
  await world.start();
  await world.turn("two");
  await world.host.kill("SIGKILL");
  await world.start();
  world.model.enqueue({ kind: "text", chunks: ["Half", " a reply"], gate: true });
  const { ended } = await world.turnInFlight("three", 1);
  for await (const event of world.client.followEvents(world.id, { afterSeq: 0 }))
    if (event.type === "text-delta" && event.text === "Half") break;
  await world.host.kill("SIGKILL");
  await ended;
  await world.start();
  await world.turn("four");

  await world.expectPrefixes(5);
  expect(world.model.requests.at(-1)?.body).toContain('"Half"');
});

test("[byte-prefix] over stop: during a reply, and while a tool waits for approval", async () => {
  await using world = await World.begin();
  world.model.enqueue({ kind: "text", chunks: ["Half", " a reply"], gate: true });
  const reply = await world.turnInFlight("two", 1);
  for await (const event of world.client.followEvents(world.id, { afterSeq: 0 }))
    if (event.type === "text-delta" && event.text === "Half") break;
  await world.client.call(routes.stopConversation, { params: { id: world.id } });
  await reply.ended;
  world.model.enqueue({
    kind: "tool-calls",
    calls: [
      { id: "call_2", name: "shell", arguments: '{"command":"true"}' },
      { ...readAgents, id: "call_3" },
    ],
  });
  const tool = await world.turnInFlight("three", 1);
  for await (const event of world.client.followEvents(world.id, { afterSeq: 0 }))
    if (event.type === "approval-request") break;
  await world.client.call(routes.stopConversation, { params: { id: world.id } });
  await tool.ended;
  await world.turn("four");

  await world.expectPrefixes(5);
});

test("[byte-prefix] over failed steps: before and during the reply, truncation, broken JSON, no answer", async () => {
  await using world = await World.begin();
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
    await world.turn(`${index}`, failure.kind === "tool-calls" ? "completed" : "failed");
  }
  world.model.enqueue({ kind: "never" });
  const { ended } = await world.turnInFlight("never", 1);
  await world.model.cutConnections();
  await ended;
  await world.turn("last");

  await world.expectPrefixes(world.model.requests.length);
  expect(world.model.requests.length).toBeGreaterThanOrEqual(2 + failures.length + 2);
});

test("[byte-prefix] over retries: identical bytes", async () => {
  await using world = await World.begin();
  const headers = { "retry-after": "0" };
  world.model.enqueue(
    { kind: "error", status: 503, body: '{"error":{"message":"busy"}}', headers },
    { kind: "error", status: 429, body: '{"error":{"message":"slow down"}}', headers },
  );
  await world.turn("two");
  await world.turn("three");

  const bodies = world.model.requests.map(({ body }) => body);
  expect(new Set(bodies.slice(2, 5)).size).toBe(1);
  await world.expectPrefixes(6);
});

test("[byte-prefix] over forks, up to the fork", async () => {
  await using world = await World.begin();
  await world.turn("two");
  const before = world.model.requests.at(-1)?.body ?? "";
  await Bun.write(join(world.folder, "AGENTS.md"), "be long");
  const { conversation } = await world.client.call(routes.forkConversation, { params: { id: world.id }, body: {} });
  await world.turn("three", "completed", conversation.id);
  const ofFork = world.model.requests.at(-1)?.body ?? "";
  await world.turn("drei");

  expect(ofFork).toStartWith(prefixOf(before));
  expect(world.model.requests.at(-1)?.body).toStartWith(prefixOf(before));
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
  await using world = await World.begin();
  const { extensions } = await world.client.call(routes.listExtensions);
  const swap = async (id: string): Promise<void> => {
    const { outcome } = await world.client.call(routes.swapExtension, { params: { id }, body: {} });
    expect({ id, outcome }).toEqual({ id, outcome: "swapped" });
  };

  for (const { id } of extensions) {
    await swap(id);
    await world.turn(`behind the swap of ${id}`);
    world.model.enqueue({ kind: "text", chunks: ["Half", " a reply"], gate: true });
    const { ended } = await world.turnInFlight(`during the swap of ${id}`, 1);
    const swapped = swap(id);
    // Ends immediately unless the swap has to wait for the reply.
    const isOver = new AbortController();
    const ending = swapped.then(() => isOver.abort());
    await Promise.race([ending, untilDraining(world.client, { id, signal: isOver.signal })]);
    world.model.releaseAll();
    await Promise.all([swapped, ended]);
  }

  await world.expectPrefixes(2 + 2 * extensions.length);
});

test("[byte-prefix] over a clock set back a day and forward a year", async () => {
  await using world = await World.begin();
  const shiftClock = join(world.folder, "shift-clock.ts");
  await Bun.write(
    shiftClock,
    `const now = Date.now.bind(Date); Date.now = () => now() + Number(process.env.CLOCK_SHIFT_MS);`,
  );
  const dayMs = 86_400_000;
  for (const shiftMs of [-dayMs, 365 * dayMs, 0]) {
    await world.host.kill("SIGTERM");
    await world.start({ BUN_OPTIONS: `--preload ${shiftClock}`, CLOCK_SHIFT_MS: String(shiftMs) });
    await world.turn(`${shiftMs}`);
    const { conversation } = await world.client.call(routes.getConversation, { params: { id: world.id } });
    expect(Math.abs(Date.parse(conversation.updatedAt) - Date.now() - shiftMs)).toBeLessThan(3_600_000);
  }

  await world.expectPrefixes(5);
});
