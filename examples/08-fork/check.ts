/** Edits and resends a message as a fork: everything before it stays byte-identical, regardless of later changes. */
import { createHost, parseConfig } from "@incipit/host-bin";
import type { ConversationId } from "@incipit/schema";
import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import assert from "node:assert/strict";
import { join } from "node:path";

await using folder = await createTempFolder();
await using model = await startRecordingModelServer();
const settings = `model = "local/test-model"
listen.port = 0
providers.local = { kind = "openai-compatible", base_url = "${model.url}" }`;
await using host = await createHost({
  config: parseConfig(settings, "check.ts"),
  dataFolder: join(folder.path, "data"),
  cwd: folder.path,
  env: {},
  writeLog: () => {},
});
const client = createClient(host);

/** Sends a message and returns the request to the model. */
async function send(id: ConversationId, input: string): Promise<string> {
  for await (const event of client.sendTurn(id, { input })) {
    if (event.type === "turn-end") assert.equal(event.status, "completed");
  }
  return model.requests.at(-1)?.body ?? "";
}

await Bun.write(join(folder.path, "AGENTS.md"), "Answer in one line.");
const { conversation } = await client.call(routes.createConversation, { body: { title: "Otters" } });
await send(conversation.id, "Tell me about otters");
const before = await send(conversation.id, "And what do they eat?");
await send(conversation.id, "How much of it?");

// Forks the conversation before the last question, to ask a better one.
const { messages } = await client.call(routes.listMessages, { params: { id: conversation.id } });
const question = messages.findLast(({ role }) => role === "user");
const { conversation: fork } = await client.call(routes.forkConversation, {
  params: { id: conversation.id },
  body: { before: question?.id ?? "", title: "Otters, at night" },
});
assert.deepEqual(fork.forkedFrom, { conversationId: conversation.id, messageId: messages.at(-3)?.id });

await Bun.write(join(folder.path, "AGENTS.md"), "Answer at length.");
const after = await send(fork.id, "Where do they sleep?");
assert.ok(after.startsWith(before.slice(0, -"]}".length)), "the fork does not go on with the bytes of its source");
assert.ok(after.includes("Answer in one line.") && !after.includes("How much of it?"));

// The audit of the fork's first request reports an identical prefix.
const { steps } = await client.call(routes.listSteps, { params: { id: fork.id } });
assert.deepEqual(
  steps.map(({ firstDifference }) => firstDifference),
  [null],
);

// Both continue independently.
assert.ok((await send(conversation.id, "Thanks")).includes("How much of it?"));
assert.ok(!(await send(fork.id, "Thanks")).includes("How much of it?"));

process.stdout.write(`08-fork: ${before.length} bytes were sent before, and the fork's request begins with them\n`);
