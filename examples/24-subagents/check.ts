/** A model starts tasks of another agent: each in its own conversation, within limits, and stopped with its caller. */
import { createHost, parseConfig } from "@incipit/host-bin";
import { createTempFolder, startRecordingModelServer, type ModelReply } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import assert from "node:assert/strict";
import { join } from "node:path";

/** A reply that starts several tasks of the reader. */
function giving(...tasks: readonly string[]): ModelReply {
  const calls = tasks.map((task, index) => ({
    id: `call_${index + 1}`,
    name: "agent",
    arguments: JSON.stringify({ profile: "reader", task }),
  }));
  return { kind: "tool-calls", calls };
}

await using folder = await createTempFolder();
await using model = await startRecordingModelServer();
const config = parseConfig(
  `model = "local/test"
listen.port = 0
providers.local = { kind = "openai-compatible", base_url = "${model.url}" }
profiles.reader = { system_prompt = "You look through files, and answer in a line." }
subagents = { enabled = true, profiles = ["reader"], max_per_turn = 2 }`,
  "check.ts",
);
const dataFolder = join(folder.path, "data");
await using host = await createHost({ config, dataFolder, cwd: folder.path, env: {}, writeLog: () => {} });
const client = createClient(host);
const { conversation } = await client.call(routes.createConversation, { body: {} });
const { id } = conversation;

// The caller starts three tasks but may start two. A task's agent has no such tool.
let isCaller = true;
model.answer = (body) => {
  const isTask = body.includes("You look through files");
  if (isTask) return { kind: "text", chunks: [body.includes("tides") ? "Twice a day" : "Once a month"] };
  if (!isCaller) return { kind: "text", chunks: ["The moon does both"] };
  isCaller = false;
  return giving("How often are tides?", "How often is the moon full?", "Why?");
};
const begun: string[] = [];
const outcomes = new Map<string, string | undefined>();
for await (const event of client.sendTurn(id, { input: "What does the moon do?" })) {
  if (event.type === "task-start") begun.push(event.conversationId);
  if (event.type === "tool-call-end") outcomes.set(event.toolCallId, event.output ?? event.error?.message);
  if (event.type === "turn-end") assert.equal(event.status, "completed");
}
assert.equal(begun.length, 2);
// They are given concurrently, so the last to arrive is rejected.
const answers = { call_1: "Twice a day", call_2: "Once a month", call_3: "Once a month" };
const refused = [...outcomes].filter(([, said]) => said?.includes("subagents.max_per_turn"));
assert.equal(refused.length, 1);
assert.deepEqual(Object.fromEntries(outcomes), { ...answers, ...Object.fromEntries(refused) });

// Both requests share the same bytes up to their tasks.
const bodies = model.requests.map(({ body }) => body).filter((body) => body.includes("You look through files"));
assert.equal(bodies.length, 2);
assert.ok(bodies.every((body) => !body.includes('"agent"')));
const [first = "", second = ""] = bodies.map((body) => body.slice(0, body.lastIndexOf('"role":"user"')));
assert.ok(first.length > 0 && first === second);

// The tree of tasks with their costs: the recording model reports 25 tokens per call.
const { tasks, spent } = await client.call(routes.listTasks, { params: { id } });
assert.deepEqual(new Set(tasks.map((task) => task.conversation.id)), new Set(begun));
assert.ok(tasks.every((task) => task.conversation.parent?.conversationId === id && task.spent.tokens === 25));
assert.equal(spent.tokens, 50);

// Stopping the caller during a task ends both.
isCaller = true;
model.answer = () => undefined;
model.enqueue(giving("How deep is the sea?"), { kind: "text", chunks: ["It ", "is ", "deep"], gate: true });
let stopped = "";
let end = "";
for await (const event of client.sendTurn(id, { input: "And the sea?" })) {
  if (event.type === "task-start") {
    stopped = event.conversationId;
    await client.call(routes.stopConversation, { params: { id } });
  }
  if (event.type === "turn-end") end = event.status;
}
assert.equal(end, "cancelled");
const after = await client.call(routes.listTasks, { params: { id } });
assert.equal(after.tasks.find((task) => task.conversation.id === stopped)?.conversation.status, "idle");

process.stdout.write("24-subagents: two tasks were done and the third refused; one was stopped with its caller\n");
