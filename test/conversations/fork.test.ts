import type { ConversationId, Message } from "@incipit/schema";
import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { createClient, routes, type Client } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { HostProcess, type HostProcessOptions } from "../support/host-process.ts";
import { prefixOf } from "../support/request-body.ts";

interface World {
  readonly options: HostProcessOptions;
  readonly model: Awaited<ReturnType<typeof startRecordingModelServer>>;
  start(): Promise<{ readonly host: HostProcess; readonly client: Client }>;
}

async function createWorld(scope: AsyncDisposableStack): Promise<World> {
  const folder = scope.use(await createTempFolder());
  const model = scope.use(await startRecordingModelServer({ isStrict: true }));
  const options = { data: join(folder.path, "data"), config: join(folder.path, "incipit.toml"), cwd: folder.path };
  await Bun.write(join(folder.path, "AGENTS.md"), "be brief");
  await Bun.write(
    options.config,
    `model = "local/test"\nsystem_prompt = "[system:time] [file:AGENTS.md]"\ntools.workspace = true
[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"\n`,
  );
  return {
    options,
    model,
    async start() {
      const host = scope.use(await HostProcess.start(options));
      return { host, client: createClient({ url: host.url, token: host.token }) };
    },
  };
}

async function messagesOf(client: Client, id: ConversationId): Promise<readonly Message[]> {
  return (await client.call(routes.listMessages, { params: { id } })).messages;
}

async function turn(world: World, host: HostProcess, id: ConversationId, input: string): Promise<string> {
  const events = await host.turn(id, { input });
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  return world.model.requests.at(-1)?.body ?? "";
}

const readAgents = { id: "call_1", name: "read_file", arguments: '{"path":"AGENTS.md"}' };

test("[byte-prefix] a fork extends the bytes of its source, which stays unchanged", async () => {
  await using scope = new AsyncDisposableStack();
  const world = await createWorld(scope);
  const first = await world.start();
  const { id } = await first.host.createConversation();
  world.model.enqueue({ kind: "tool-calls", calls: [readAgents] });
  await turn(world, first.host, id, "one");
  const second = await turn(world, first.host, id, "two");
  const third = await turn(world, first.host, id, "three");
  const messages = await messagesOf(first.client, id);
  const afterTwo = messages.findLast(({ turnId }) => turnId === messages.at(-3)?.turnId)?.id ?? "";

  const { conversation } = await first.client.call(routes.forkConversation, {
    params: { id },
    body: { after: afterTwo, title: "Another way" },
  });
  await first.host.kill("SIGKILL");
  await Bun.write(join(world.options.cwd, "AGENTS.md"), "be long");
  await Bun.write(
    world.options.config,
    (await Bun.file(world.options.config).text()).replace("[system:time]", "New"),
  );
  const next = await world.start();
  const forked = await turn(world, next.host, conversation.id, "drei");
  await next.host.kill("SIGKILL");
  const { host, client } = await world.start();
  const fourth = await turn(world, host, id, "four");
  const again = await turn(world, host, conversation.id, "vier");

  expect(conversation).toMatchObject({
    title: "Another way",
    forkedFrom: { conversationId: id, messageId: afterTwo },
    epoch: 1,
  });
  expect(forked).toStartWith(prefixOf(second));
  expect(forked).toContain('"drei"');
  expect(forked).not.toContain('"three"');
  expect(fourth).toStartWith(prefixOf(third));
  expect(again).toStartWith(prefixOf(forked));
  const { steps } = await client.call(routes.listSteps, { params: { id: conversation.id } });
  expect(steps.map(({ firstDifference, differenceReason }) => [firstDifference, differenceReason])).toEqual([
    [null, null],
    [null, null],
  ]);
  const [ofSource, ofFork] = await Promise.all(
    [id, conversation.id].map((each) => client.call(routes.getConversationSystemPrompt, { params: { id: each } })),
  );
  expect(ofFork).toEqual(ofSource);
});

test("fork before a message resends it edited, including the first, with the stored prompt", async () => {
  await using scope = new AsyncDisposableStack();
  const world = await createWorld(scope);
  const { host, client } = await world.start();
  const { id } = await host.createConversation();
  const first = await turn(world, host, id, "one");
  const second = await turn(world, host, id, "two");
  const [opening, , other] = await messagesOf(client, id);
  await Bun.write(join(world.options.cwd, "AGENTS.md"), "be long");

  const bodies = await Promise.all(
    [opening, other].map(async (message) => {
      const body = { before: message?.id ?? "" };
      const { conversation } = await client.call(routes.forkConversation, { params: { id }, body });
      return { conversation, messages: await messagesOf(client, conversation.id) };
    }),
  );

  expect(bodies.map(({ messages }) => messages.length)).toEqual([0, 2]);
  expect(bodies[0]?.conversation.forkedFrom).toEqual({ conversationId: id, messageId: null });
  const edited = await turn(world, host, bodies[0]?.conversation.id ?? id, "ONE");
  expect(edited).toBe(first.replace('"one"', '"ONE"'));
  const resent = await turn(world, host, bodies[1]?.conversation.id ?? id, "TWO");
  expect(resent).toBe(second.replace('"two"', '"TWO"'));
});

test("fork of an earlier epoch constructs a prompt, and omits the running turn by default", async () => {
  await using scope = new AsyncDisposableStack();
  const world = await createWorld(scope);
  const { host, client } = await world.start();
  const { id } = await host.createConversation();
  await turn(world, host, id, "one");
  const before = await messagesOf(client, id);
  await client.call(routes.compactConversation, { params: { id } });
  const current = await turn(world, host, id, "two");

  const { conversation: early } = await client.call(routes.forkConversation, {
    params: { id },
    body: { after: before[1]?.id ?? "" },
  });
  expect((await messagesOf(client, early.id)).map(({ parts }) => parts)).toEqual(before.map(({ parts }) => parts));
  await Bun.write(join(world.options.cwd, "AGENTS.md"), "be long");
  expect(await turn(world, host, early.id, "other")).toContain("be long");

  world.model.enqueue({ kind: "never" });
  const { length } = world.model.requests;
  await host.json(`/conversations/${id}/turns`, { body: { input: "three" }, headers: { prefer: "respond-async" } });
  await world.model.waitForRequests(length + 1);
  const { conversation: late } = await client.call(routes.forkConversation, { params: { id }, body: {} });
  const forked = await turn(world, host, late.id, "drei");
  expect(forked).toStartWith(prefixOf(current));
  expect(forked).not.toContain('"three"');
  expect((await client.call(routes.getConversation, { params: { id } })).conversation.status).toBe("running");
});

test("fork rejects an unknown point, and one between calls and results", async () => {
  await using scope = new AsyncDisposableStack();
  const world = await createWorld(scope);
  const { host, client } = await world.start();
  const { id } = await host.createConversation();
  world.model.enqueue({ kind: "tool-calls", calls: [readAgents] });
  await turn(world, host, id, "one");
  const [, calls, results] = await messagesOf(client, id);
  const count = (await client.call(routes.listConversations)).conversations.length;

  const refusals = await Promise.all(
    [
      { after: "nothing" },
      { after: calls?.id },
      { before: results?.id },
      { after: results?.id, before: results?.id },
      { until: "x" },
    ].map(async (body) => {
      const response = await host.fetch(`/conversations/${id}/fork`, { body });
      return [response.status, await response.json()];
    }),
  );

  expect(refusals).toMatchObject([
    [404, { error: { code: "MESSAGE_UNKNOWN" } }],
    [409, { error: { code: "FORK_POINT_INVALID" } }],
    [409, { error: { code: "FORK_POINT_INVALID" } }],
    [400, { error: { code: "INVALID_REQUEST" } }],
    [400, { error: { code: "INVALID_REQUEST" } }],
  ]);
  expect((await client.call(routes.listConversations)).conversations).toHaveLength(count);
});
