import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import {
  createSubagentsWorld,
  giving,
  outcomes,
  saying,
  tasksOf,
  type SentBody,
  sentBodies,
} from "./testing/subagents-world.ts";

function toolNames({ tools = [] }: SentBody): readonly string[] {
  return tools.map((tool) => tool.function.name);
}

test("a task runs in its own conversation and profile and returns its last text", async () => {
  await using world = await createSubagentsWorld();
  world.model.enqueue(
    giving({ profile: "reader", task: "Find the tides" }),
    saying("Twice a day"),
    saying("They come twice a day"),
  );
  const id = await world.createConversation();

  const events = await world.turn(id, "How often?");

  expect(outcomes(events)).toEqual(["Twice a day"]);
  const [task] = tasksOf(events);
  if (task === undefined) throw new Error("No task has begun");
  const turnId = events[0]?.turnId ?? "";
  expect(await world.getConversation(task)).toMatchObject({
    profile: "reader",
    title: "Find the tides",
    cwd: world.cwd,
    archived: true,
    status: "idle",
    parent: { conversationId: id, turnId, toolCallId: "call_1", depth: 1 },
  });
  expect((await world.getConversation(id)).parent).toBeNull();
  const [, asked, last] = sentBodies(world);
  expect(asked?.messages).toEqual([
    { role: "system", content: "You read." },
    { role: "user", content: "Find the tides" },
  ]);
  expect(last?.messages.at(-1)).toMatchObject({ role: "tool", content: "Twice a day" });
  expect(events.map(({ type }) => type).filter((type) => /^(task|tool-call)-/.test(type))).toEqual([
    "tool-call-start",
    "task-start",
    "tool-call-end",
  ]);
});

test("GET /conversations/:id/tasks returns each task with costs of its subtree; lists have none", async () => {
  await using world = await createSubagentsWorld({ subagents: "max_depth = 2" });
  world.model.enqueue(
    giving({ profile: "reader", task: "First" }),
    giving({ profile: "writer", task: "Below" }),
    saying("below"),
    saying("first"),
    giving({ task: "Second" }),
    saying("second"),
    saying("done"),
  );
  const id = await world.createConversation();
  await world.turn(id, "go");

  const { tasks, spent } = await world.client.call(routes.listTasks, { params: { id } });
  const first = tasks.at(-1)?.conversation.id ?? "";
  const below = await world.client.call(routes.listTasks, { params: { id: first } });
  const { conversations } = await world.client.call(routes.listConversations);

  // Each call of the recording model uses 25 tokens without a price.
  const calls = (count: number) => ({ tokens: count * 25, usd: 0, unpriced: count });
  expect(tasks.map(({ conversation: { title }, spent: own, spentBelow }) => [title, own, spentBelow])).toEqual([
    ["Second", calls(1), calls(0)],
    ["First", calls(2), calls(1)],
  ]);
  expect(spent).toEqual(calls(4));
  expect(below.tasks.map(({ conversation }) => conversation.parent)).toMatchObject([
    { conversationId: first, depth: 2 },
  ]);
  expect(conversations.map((conversation) => conversation.id)).toEqual([id]);
});

test("at maximum depth the tool is absent, and a call fails", async () => {
  await using world = await createSubagentsWorld();
  world.model.enqueue(
    giving({ task: "Deeper" }),
    giving({ task: "Deeper still" }),
    saying("I could not"),
    saying("done"),
  );

  await world.turn(await world.createConversation(), "go");

  const [caller, task, afterwards] = sentBodies(world);
  expect(toolNames(caller ?? { messages: [] })).toEqual(["agent"]);
  expect(toolNames(task ?? { messages: [] })).toEqual([]);
  expect(afterwards?.messages.at(-1)?.content).toContain('There is no tool "agent"');
  expect(sentBodies(world)).toHaveLength(4);
});

test("a model that delegates in a loop reaches the task limit of the turn", async () => {
  const world = await createSubagentsWorld({
    subagents: "max_per_turn = 3\nmax_at_once = 2",
    answer: (last, { tools }) => (tools === undefined ? saying(`did: ${last}`) : giving({ task: "again" })),
  });
  await using _ = world;
  const id = await world.createConversation();

  const events = await world.turn(id, "go");
  const { tasks } = await world.client.call(routes.listTasks, { params: { id } });

  const [first, second, third, fourth, ...others] = outcomes(events);
  expect([first, second, third]).toEqual(Array.from({ length: 3 }, () => "did: again"));
  expect(fourth).toContain("This turn has given 3 tasks, as many as it may (subagents.max_per_turn)");
  expect(others.filter((outcome) => outcome !== fourth)).toEqual([]);
  expect(tasks).toHaveLength(3);
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "failed", error: { code: "MAX_STEPS" } });
});

test("models that delegate endlessly stop at depth and count limits, and every conversation ends", async () => {
  const again = giving({ task: "again" }, { task: "again" });
  await using world = await createSubagentsWorld({
    subagents: "max_depth = 2\nmax_per_turn = 2\nmax_at_once = 1",
    answer: (_, { tools }) => (tools === undefined ? saying("deep enough") : again),
  });
  const id = await world.createConversation();

  const events = await world.turn(id, "go");
  const list = async (of: string) => (await world.client.call(routes.listTasks, { params: { id: of } })).tasks;
  const tasks = await list(id);
  const below = (await Promise.all(tasks.map(({ conversation }) => list(conversation.id)))).flat();
  const deepest = (await Promise.all(below.map(({ conversation }) => list(conversation.id)))).flat();

  expect([tasks.length, below.length, deepest.length]).toEqual([2, 4, 0]);
  expect([...tasks, ...below].map(({ conversation }) => conversation.status)).toEqual(
    Array.from({ length: 6 }, () => "idle"),
  );
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "failed", error: { code: "MAX_STEPS" } });
});
