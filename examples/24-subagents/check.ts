/** Two tasks at once, given by a model to a profile: what each is told, what comes back, and what it cost. */
import { createHost, parseConfig } from "@incipit/host-bin";
import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import assert from "node:assert/strict";
import { join } from "node:path";

await using folder = await createTempFolder();
await using model = await startRecordingModelServer();
const config = parseConfig(
  `model = "local/asker"
listen.port = 0
providers.local = { kind = "openai-compatible", base_url = "${model.url}" }

[profiles.reader]
system_prompt = "You look things up, and answer in a line."

[subagents]
enabled = true
profiles = ["reader"]`,
  "check.ts",
);
const dataFolder = join(folder.path, "data");
await using host = await createHost({ config, dataFolder, cwd: folder.path, env: {}, writeLog: () => {} });
const client = createClient(host);

const give = (id: string, task: string) => ({
  id,
  name: "agent",
  arguments: JSON.stringify({ profile: "reader", task }),
});
model.enqueue(
  { kind: "tool-calls", calls: [give("call_1", "When is high tide?"), give("call_2", "When is low tide?")] },
  { kind: "text", chunks: ["At six."] },
  { kind: "text", chunks: ["At noon."] },
  { kind: "text", chunks: ["High at one, low at the other."] },
);
const { conversation } = await client.call(routes.createConversation, { body: {} });
const { id } = conversation;
const begun: string[] = [];
for await (const event of client.sendTurn(id, { input: "What do the tides do today?" })) {
  if (event.type === "task-start") begun.push(event.conversationId);
  if (event.type === "turn-end") assert.equal(event.status, "completed");
}

// Each is a conversation of its own, and only told its task.
const { tasks, spent } = await client.call(routes.listTasks, { params: { id } });
assert.deepEqual(new Set(tasks.map((task) => task.conversation.id)), new Set(begun));
const titles = new Set(tasks.map((task) => task.conversation.title));
assert.deepEqual(titles, new Set(["When is high tide?", "When is low tide?"]));
assert.ok(spent.tokens > 0);

// The two begin with the same bytes, and neither can give tasks itself.
const [asker, first, second] = model.requests.map(({ body }) => body);
assert.ok(asker !== undefined && first !== undefined && second !== undefined);
assert.ok(asker.includes('"agent"'));
const shared = first.indexOf("When is");
assert.ok(shared > 0);
assert.equal(first.slice(0, shared), second.slice(0, shared));
assert.ok(first.includes("You look things up") && !first.includes('"agent"') && !first.includes("today"));

// Both answers came back as the results of the calls.
const last = model.requests.at(-1)?.body ?? "";
assert.ok(last.includes("At six.") && last.includes("At noon."));
