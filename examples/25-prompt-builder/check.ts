/** Replaces the built-in prompt builder during a conversation, which is then rebuilt; the requests show the effect. */
import { createHost, parseConfig } from "@incipit/host-bin";
import type { ConversationId } from "@incipit/schema";
import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import assert from "node:assert/strict";
import { basename, join } from "node:path";
import * as z from "zod";

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
const bodySchema = z.object({ messages: z.array(z.object({ role: z.string(), content: z.string() })) });

/** Sends a message and returns the system texts of the request. */
async function told(id: ConversationId, input: string): Promise<readonly string[]> {
  for await (const event of client.sendTurn(id, { input })) {
    if (event.type === "turn-end") assert.equal(event.status, "completed");
  }
  const { messages } = bodySchema.parse(JSON.parse(model.requests.at(-1)?.body ?? ""));
  return messages.filter(({ role }) => role === "system").map(({ content }) => content);
}

// A conversation begins with the built-in builder.
await client.call(routes.setSystemPrompt, { body: { template: "Built in." } });
const { conversation } = await client.call(routes.createConversation, { body: {} });
const { id } = conversation;
assert.deepEqual(await told(id, "Hello"), ["Built in."]);

// The other builder takes its place.
await client.call(routes.unloadExtension, { params: { id: "system-prompt" } });
const { extension } = await client.call(routes.addExtension, {
  body: { path: import.meta.dir, grant: { storage: true, provides: ["system-prompt@1"] } },
});
assert.equal(extension.phase, "active");
await client.call(routes.setSystemPrompt, { body: { template: "Be kind." } });

// The conversation continues, is rebuilt, and keeps its bytes from then on.
assert.deepEqual(await told(id, "And now?"), []);
await client.call(routes.rebuildPrompt, { params: { id }, body: {} });
const built = `You work for Acme, and say so when you are asked.\nYou work on ${basename(folder.path)}.\nBe kind.`;
assert.deepEqual(await told(id, "Who are you?"), [built]);
await client.call(routes.setSystemPrompt, { body: { template: "Be brief." } });
assert.deepEqual(await told(id, "Still?"), [built]);
const [first, second] = model.requests.slice(-2).map(({ body }) => body);
assert.ok(second?.startsWith((first ?? "").slice(0, -"]}".length)), "the request is not a prefix of the next one");

// Explain shows the pieces; a fork and an imported export have the prompt, too.
const { explain } = await client.call(routes.explainConversation, { params: { id } });
assert.deepEqual(
  explain?.ranges.map(({ name }) => name),
  [null, "folder", "stored"],
);
const fork = await client.call(routes.forkConversation, { params: { id }, body: {} });
assert.deepEqual(await told(fork.conversation.id, "And you?"), [built]);

process.stdout.write("25-prompt-builder: a conversation goes on while another builder takes over\n");
