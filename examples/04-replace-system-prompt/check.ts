/** Replaces a host's prompt builder while conversations exist, and back; the requests show which builder was used. */
import { createHost, parseConfig } from "@incipit/host-bin";
import type { ConversationId } from "@incipit/schema";
import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import assert from "node:assert/strict";
import { join } from "node:path";
import * as z from "zod";

const builtIn = "system-prompt";
const plain = "acme.plain-prompt";
const plainText = "Plain text, in which [prompt:cwd] is nothing special";

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
const builtInText = `Built in ${folder.path}`;

const bodySchema = z.object({ messages: z.array(z.object({ role: z.string(), content: z.string() })) });

/** Sends a message and returns the request to the model. */
async function send(id: ConversationId, input: string): Promise<string> {
  for await (const event of client.sendTurn(id, { input })) {
    if (event.type === "turn-end") assert.equal(event.status, "completed");
  }
  return model.requests.at(-1)?.body ?? "";
}

function systemTexts(body: string): readonly string[] {
  const { messages } = bodySchema.parse(JSON.parse(body));
  return messages.filter(({ role }) => role === "system").map(({ content }) => content);
}

async function begin(): Promise<{ readonly id: ConversationId; readonly body: string }> {
  const { conversation } = await client.call(routes.createConversation, { body: {} });
  return { id: conversation.id, body: await send(conversation.id, "Hello") };
}

async function promptOf(id: ConversationId): Promise<string | null> {
  return (await client.call(routes.getConversationSystemPrompt, { params: { id } })).systemPrompt;
}

// Two conversations with a prompt of the built-in builder.
await client.call(routes.setSystemPrompt, { body: { template: "Built in [prompt:cwd]" } });
const resting = await begin();
const goingOn = await begin();
assert.deepEqual(systemTexts(resting.body), [builtInText]);

// The other builder takes its place while the host runs.
await client.call(routes.unloadExtension, { params: { id: builtIn } });
const { extension } = await client.call(routes.addExtension, {
  body: { path: import.meta.dir, grant: { storage: true, provides: ["system-prompt@1"] } },
});
assert.deepEqual([extension.id, extension.phase], [plain, "active"]);
await client.call(routes.setSystemPrompt, { body: { template: plainText } });

// It builds the next conversation's prompt and stores it.
const next = await begin();
assert.deepEqual(systemTexts(next.body), [plainText]);
assert.equal(await promptOf(next.id), plainText);

// Earlier conversations have no prompt of this builder: they continue without one, as their records show, until
// compaction.
assert.equal(await promptOf(resting.id), null);
assert.deepEqual(systemTexts(await send(goingOn.id, "And now?")), []);
const { steps } = await client.call(routes.listSteps, { params: { id: goingOn.id } });
assert.equal(steps.at(-1)?.firstDifference, "system");
await client.call(routes.compactConversation, { params: { id: goingOn.id } });
assert.deepEqual(systemTexts(await send(goingOn.id, "And now?")), [plainText]);

// After switching back, all prompts of the built-in builder are still stored.
await client.call(routes.removeExtension, { params: { id: plain } });
await client.call(routes.loadExtension, { params: { id: builtIn } });
assert.deepEqual(systemTexts((await begin()).body), [builtInText]);
assert.equal(await promptOf(resting.id), builtInText);
const again = await send(resting.id, "Still there?");
assert.ok(again.startsWith(resting.body.slice(0, -"]}".length)), "the request is not a prefix of the next one");

process.stdout.write(
  "04-replace-system-prompt: whoever provides system-prompt@1 builds the prompts that are sent\n",
);
