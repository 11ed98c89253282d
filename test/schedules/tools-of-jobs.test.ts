import type { ValuesAnswer } from "@incipit/service-contract";
import { createMemoryStorage, elicitingTool, FakeClock, toolbox, toolsOf } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { SchedulesWorld } from "./schedules-world.ts";

const nobody: readonly ValuesAnswer[] = [{ action: "cancel", reason: "unattended" }];
const call = { name: "ask", input: "{}" };

for (const conversation of ["own", "fresh"] as const)
  test(`a schedule (${conversation}) offers and runs only its allowed tools`, async () => {
    const ran: string[] = [];
    await using world = await SchedulesWorld.start({
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
  const start = (...tools: string[]): Promise<SchedulesWorld> =>
    SchedulesWorld.start({
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
  await using world = await SchedulesWorld.start();
  const { id: conversation } = await world.conversations.create({});
  const request = { id: "x", task: "Look", every: "1h", conversation, tools: ["look"] };

  const refused = await world.schedules.create(request).catch((error: unknown) => error);

  expect(String(refused)).toContain("an existing conversation has its own tools");
});

test("the heartbeat offers only its allowed tools and its own", async () => {
  await using world = await SchedulesWorld.start({
    heartbeat: { tools: ["look"] },
    extensions: [toolbox([], "look", "shell")],
  });

  await world.minutes(31);

  const { conversationId } = await world.heartbeat.get();
  expect(await toolsOf(world.conversations, conversationId)).toEqual(["heartbeat_respond", "look"]);
});

test("a question of a schedule's tool is immediately answered that no user is present", async () => {
  const answers: ValuesAnswer[] = [];
  await using world = await SchedulesWorld.start({
    extensions: [elicitingTool(answers)],
    answer: () => ({ call, say: "HEARTBEAT_OK" }),
  });
  await world.schedules.create({ id: "logs", task: "Look", every: "15m" });

  await world.minutes(16);

  expect((await world.runs("logs")).map(({ status }) => status)).toEqual(["completed"]);
  expect(answers).toEqual([...nobody]);
});

test("a question of the heartbeat's tool is immediately answered that no user is present", async () => {
  const answers: ValuesAnswer[] = [];
  await using world = await SchedulesWorld.start({
    heartbeat: {},
    extensions: [elicitingTool(answers)],
    answer: () => ({ call, say: "HEARTBEAT_OK" }),
  });

  await world.minutes(31);

  expect(answers).toEqual([...nobody]);
});
