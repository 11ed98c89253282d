import type { ConversationId, Message } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import type { HostProcess } from "../support/host-process.ts";
import { prefixOf } from "../support/request-body.ts";
import { World } from "../support/world.ts";

function startWorld(): Promise<World> {
  const config = 'system_prompt = "[system:time] [file:AGENTS.md]"\ntools.workspace = true';
  return World.start({ config, model: { isStrict: true }, files: { "AGENTS.md": "be brief" } });
}

async function messagesOf(client: Client, id: ConversationId): Promise<readonly Message[]> {
  return (await client.call(routes.listMessages, { params: { id } })).messages;
}

async function turn(world: World, host: HostProcess, id: ConversationId, input: string): Promise<string> {
  const events = await host.turn(id, { input });
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  return world.lastBody;
}

test("[byte-prefix] a fork extends the bytes of its source, which stays unchanged", async () => {
  await using world = await startWorld();
  const first = await world.host();
  const { id } = await first.createConversation();
  world.model.enqueueCall("read_file", { path: "AGENTS.md" });
  await turn(world, first, id, "one");
  const second = await turn(world, first, id, "two");
  const third = await turn(world, first, id, "three");
  const messages = await messagesOf(first.client, id);
  const afterTwo = messages.findLast(({ turnId }) => turnId === messages.at(-3)?.turnId)?.id ?? "";

  const { conversation } = await first.client.call(routes.forkConversation, {
    params: { id },
    body: { after: afterTwo, title: "Another way" },
  });
  await first.kill("SIGKILL");
  await world.write("AGENTS.md", "be long");
  await world.configure('system_prompt = "New [file:AGENTS.md]"\ntools.workspace = true');
  const next = await world.host();
  const forked = await turn(world, next, conversation.id, "drei");
  await next.kill("SIGKILL");
  const host = await world.host();
  const { client } = host;
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
  await using world = await startWorld();
  const host = await world.host();
  const { client } = host;
  const { id } = await host.createConversation();
  const first = await turn(world, host, id, "one");
  const second = await turn(world, host, id, "two");
  const [opening, , other] = await messagesOf(client, id);
  await world.write("AGENTS.md", "be long");

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
  await using world = await startWorld();
  const host = await world.host();
  const { client } = host;
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
  await world.write("AGENTS.md", "be long");
  expect(await turn(world, host, early.id, "other")).toContain("be long");

  world.model.enqueue({ kind: "never" });
  const { length } = world.model.requests;
  await host.send(id, "three");
  await world.model.waitForRequests(length + 1);
  const { conversation: late } = await client.call(routes.forkConversation, { params: { id }, body: {} });
  const forked = await turn(world, host, late.id, "drei");
  expect(forked).toStartWith(prefixOf(current));
  expect(forked).not.toContain('"three"');
  expect((await client.call(routes.getConversation, { params: { id } })).conversation.status).toBe("running");
});

test("fork rejects an unknown point, and one between calls and results", async () => {
  await using world = await startWorld();
  const host = await world.host();
  const { client } = host;
  const { id } = await host.createConversation();
  world.model.enqueueCall("read_file", { path: "AGENTS.md" });
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
