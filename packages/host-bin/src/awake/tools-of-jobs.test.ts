import { expect, test } from "bun:test";
import { defineExtension, type Extension } from "@incipit/kernel";
import { toolsPoint, type ConversationsService } from "@incipit/service-contract";
import { conversationIdSchema } from "@incipit/schema";
import { createMemoryStorage, FakeClock, TestService } from "@incipit/testkit";
import { ChatsWorld } from "./testing/chats-world.ts";
import { CronWorld } from "./testing/cron-world.ts";
import { HeartbeatWorld } from "./testing/heartbeat-world.ts";

function toolbox(ran: string[], ...names: readonly string[]): Extension {
  return defineExtension({ id: "test.toolbox", version: "1.0.0", api: "^1", contributes: ["tools@1"] }, (host) => {
    for (const name of names)
      host.contribute(toolsPoint, {
        name,
        description: name,
        inputSchema: { type: "object" },
        approval: "allow",
        execute: async () => `${ran.push(name)}`,
      });
  });
}

async function toolsOf(conversations: ConversationsService, id: string | null): Promise<readonly string[]> {
  const { signal } = new AbortController();
  const { tools } = await conversations.tools(conversationIdSchema.parse(id), { signal });
  return tools.map(({ name }) => name);
}

for (const conversation of ["own", "fresh"] as const)
  test(`a schedule (${conversation}) offers and runs only its allowed tools`, async () => {
    const ran: string[] = [];
    await using world = await CronWorld.start({
      extensions: [toolbox(ran, "look", "shell")],
      answer: () => ({ call: { name: "shell", input: "{}" }, say: "HEARTBEAT_OK" }),
    });
    await world.schedules.create({ id: "logs", task: "Look", every: "15m", conversation, tools: ["look"] });

    await world.minutes(31);

    const runs = await world.runs("logs");
    expect(runs.map(({ status }) => status)).toEqual(["completed", "completed"]);
    for (const { conversationId } of runs)
      expect(await toolsOf(world.conversations, conversationId)).toEqual(["look"]);
    expect(ran).toEqual([]);
  });

test("a tool removed from a configured job is gone from its next run", async () => {
  const ran: string[] = [];
  const clock = new FakeClock();
  const storage = createMemoryStorage();
  const start = (...tools: string[]): Promise<CronWorld> =>
    CronWorld.start({
      clock,
      storage,
      cron: { jobs: { logs: { task: "Look", every: "15m", tools } } },
      extensions: [toolbox(ran, "look", "shell")],
      answer: () => ({ call: { name: "shell", input: "{}" }, say: "HEARTBEAT_OK" }),
    });
  {
    await using world = await start("look", "shell");
    await world.minutes(16);
  }
  expect(ran).toEqual(["shell"]);

  await using world = await start("look");
  await world.minutes(15);

  const [second, first] = await world.runs("logs");
  expect(new Set([first, second].map((run) => run?.conversationId)).size).toBe(1);
  expect(ran).toEqual(["shell"]);
  // Offered tools are fixed until the next epoch, so that the prefix stays intact.
  expect(await toolsOf(world.conversations, second?.conversationId ?? null)).toEqual(["look", "shell"]);
});

test("tools of a schedule are rejected for an existing conversation, which has its own", async () => {
  await using world = await CronWorld.start();
  const { id: conversation } = await world.conversations.create({});
  const request = { id: "x", task: "Look", every: "1h", conversation, tools: ["look"] };

  const refused = await world.schedules.create(request).catch((error: unknown) => error);

  expect(String(refused)).toContain("a conversation that exists already has tools of its own");
});

test("the heartbeat offers only its allowed tools and its own", async () => {
  await using world = await HeartbeatWorld.start({
    heartbeat: { tools: ["look"] },
    extensions: [toolbox([], "look", "shell")],
  });

  await world.minutes(31);

  const { conversationId } = await world.heartbeat.get();
  expect(await toolsOf(world.conversations, conversationId)).toEqual(["heartbeat_respond", "look"]);
});

test("conversations of a channel have the tools of its configuration", async () => {
  const service = new TestService({ settings: { people: ["ada"], tools: ["look"] } });
  await using world = await ChatsWorld.start({ service, extensions: [toolbox([], "look", "shell")] });

  service.say("Hello");
  await world.rest();

  const [conversation] = (await world.conversations.list({ limit: 10 })).items;
  expect(await toolsOf(world.conversations, conversation?.id ?? null)).toEqual(["look"]);
});
