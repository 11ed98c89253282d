import { routes } from "@incipit/transport-contract";
import { conversationsHandle, ServiceError } from "@incipit/service-contract";
import sessionOrchestrator from "@incipit/session-orchestrator";
import subagents from "@incipit/subagents";
import { answeringModel, FakeClock, startExtension } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { collect, until } from "../testing/host-world.ts";
import { paintTools } from "./testing/paint-tool.ts";
import { createSubagentsWorld, giving, outcomes, saying, tasksOf } from "./testing/subagents-world.ts";

const failed = { kind: "error", status: 400, body: '{"error":{"message":"No such colour"}}' } as const;

test("a failed task is a tool error with the reason, and the parent continues", async () => {
  await using world = await createSubagentsWorld();
  world.model.enqueue(giving({ task: "Paint" }), failed, saying("I could not"));

  const events = await world.turn(await world.createConversation(), "go");

  expect(outcomes(events)).toEqual([
    expect.stringMatching(/^ERROR The task failed: .*No such colour.*BAD_REQUEST/),
  ]);
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
});

test("the parent model is informed that a task's answer is truncated", async () => {
  await using world = await createSubagentsWorld();
  world.model.enqueue(
    giving({ task: "Paint" }),
    { kind: "text", chunks: ["Red and"], end: "length" },
    saying("I see"),
  );

  const events = await world.turn(await world.createConversation(), "go");

  expect(outcomes(events)).toEqual([expect.stringMatching(/^Red and\n\n\(The reply is cut off/)]);
});

test("stopping the parent stops its tasks, and queued ones never start", async () => {
  await using world = await createSubagentsWorld({ subagents: "max_at_once = 1" });
  world.model.enqueue(giving({ task: "One" }, { task: "Two" }), { kind: "never" });
  const id = await world.createConversation();
  const turn = collect(world.client.sendTurn(id, { input: "go" }));
  await world.model.waitForRequests(2);
  await world.client.call(routes.stopConversation, { params: { id } });
  const events = await turn.ended;
  const [task, ...others] = tasksOf(events);
  if (task === undefined) throw new Error("No task has begun");
  await until(async () => (await world.getConversation(task)).status === "idle");

  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "cancelled" });
  expect(others).toEqual([]);
  const ended = collect(world.client.followEvents(task, { afterSeq: 0 }));
  await ended.has("turn-end");
  expect(ended.events.at(-1)).toMatchObject({ type: "turn-end", status: "cancelled" });
  expect(world.model.requests).toHaveLength(2);
});

test("stopping only the task ends it and informs the parent", async () => {
  await using world = await createSubagentsWorld();
  world.model.enqueue(giving({ task: "One" }), { kind: "never" }, saying("Then not"));
  const turn = collect(world.client.sendTurn(await world.createConversation(), { input: "go" }));
  await turn.has("task-start");
  await world.model.waitForRequests(2);

  await world.client.call(routes.stopConversation, { params: { id: tasksOf(turn.events)[0] ?? "" } });

  expect(outcomes(await turn.ended)).toEqual(["ERROR The task has no answer: somebody stopped it"]);
  expect(turn.events.at(-1)).toMatchObject({ status: "completed" });
});

test("deleting the parent deletes all tasks below it, also running ones", async () => {
  await using world = await createSubagentsWorld({ subagents: "max_depth = 2" });
  world.model.enqueue(giving({ task: "One" }), giving({ task: "Two" }), { kind: "never" });
  const id = await world.createConversation();
  const turn = collect(world.client.sendTurn(id, { input: "go" }));
  await world.model.waitForRequests(3);
  const [one = ""] = tasksOf(turn.events);
  const { tasks } = await world.client.call(routes.listTasks, { params: { id: one } });
  const two = tasks[0]?.conversation.id ?? "";

  await world.client.call(routes.deleteConversation, { params: { id } });
  await turn.ended;

  expect(two).not.toBe("");
  for (const gone of [id, one, two])
    expect(world.client.call(routes.getConversation, { params: { id: gone } })).rejects.toMatchObject({
      code: "CONVERSATION_UNKNOWN",
    });
  const { conversations } = await world.client.call(routes.listConversations, { query: { archived: "all" } });
  expect(conversations).toEqual([]);
});

test("deleting a running task removes it from the list and fails its call", async () => {
  await using world = await createSubagentsWorld();
  world.model.enqueue(giving({ task: "One" }), { kind: "never" }, saying("Then not"));
  const id = await world.createConversation();
  const turn = collect(world.client.sendTurn(id, { input: "go" }));
  await world.model.waitForRequests(2);
  const [task = ""] = tasksOf(turn.events);

  await world.client.call(routes.deleteConversation, { params: { id: task } });

  expect(outcomes(await turn.ended)).toEqual([expect.stringContaining("ERROR The task")]);
  expect((await world.client.call(routes.listTasks, { params: { id } })).tasks).toEqual([]);
});

test("a task at its token limit is stopped before its next step with an error", async () => {
  const ran: string[] = [];
  const look = { kind: "tool-calls", calls: [{ id: "look_1", name: "look", arguments: "{}" }] } as const;
  await using world = await createSubagentsWorld({
    subagents: "max_tokens = 40",
    extensions: [paintTools(ran)],
  });
  world.model.enqueue(giving({ task: "Look" }), look, { ...look, calls: [{ ...look.calls[0], id: "look_2" }] });
  world.model.enqueue(saying("Then not"));

  const events = await world.turn(await world.createConversation(), "go");

  expect(outcomes(events)).toEqual([
    "ERROR The task has no answer: it has used 50 tokens, and may use 40 (subagents.max_tokens): it was stopped",
  ]);
  expect(world.model.requests).toHaveLength(4);
});

test("a task that finishes within its token limit returns its answer", async () => {
  await using world = await createSubagentsWorld({ subagents: "max_tokens = 25" });
  world.model.enqueue(giving({ task: "Look" }), saying("Seen"), saying("Good"));

  expect(outcomes(await world.turn(await world.createConversation(), "go"))).toEqual(["Seen"]);
});

test("a task over its time limit is stopped with an error", async () => {
  const clock = new FakeClock();
  const asked: string[] = [];
  const late = Promise.withResolvers<string>();
  const model = answeringModel(asked, (text) =>
    text === "go" ? { call: { name: "agent", input: '{"task":"Wait"}' }, say: "Then not" } : late.promise,
  );
  await using started = await startExtension([subagents, sessionOrchestrator, model], {
    clock,
    defaults: { model: "test/model" },
    drivers: { config: (id) => (id === "subagents" ? { subagents: { enabled: true, timeout_minutes: 1 } } : {}) },
  });
  const conversations = started.service(conversationsHandle);
  const { id } = await conversations.create({});
  const turn = await conversations.send(id, { input: "go" });
  const events = collect(conversations.follow(id, turn));
  await until(() => asked.length === 2);

  await clock.advance(60_000);

  expect(outcomes(await events.ended)).toEqual([
    "ERROR The task has no answer: it did not end within 1 min, and was stopped (subagents.timeout_minutes)",
  ]);
  late.resolve("Too late");
});

test("create() starts no task for an ended, stopped or unknown call", async () => {
  await using world = await createSubagentsWorld();
  const conversations = world.host.kernel.service(conversationsHandle);
  if (conversations === undefined) throw new Error("There are no conversations");
  const id = await world.createConversation();
  const [first] = await world.turn(id, "go");
  if (first === undefined) throw new Error("There was no turn");
  const parent = { conversationId: id, turnId: first.turnId, toolCallId: "call_1" };
  const codeOf = (error: unknown): unknown => (ServiceError.is(error) ? error.code : error);

  const ended = await conversations.create({}, { parent }).catch(codeOf);
  await conversations.delete(id);
  const deleted = await conversations.create({}, { parent }).catch(codeOf);

  expect(ended).toBe("CONVERSATION_BUSY");
  expect(deleted).toBe("CONVERSATION_UNKNOWN");
  expect((await conversations.list({ limit: 10, archived: "all" })).items).toEqual([]);
});
