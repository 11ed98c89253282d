/** An unmodified OpenAI client uses the host's prompt: the operator changes it, and the record shows the sent bytes. */
import { createHost, parseConfig } from "@incipit/host-bin";
import type { ModelCall } from "@incipit/schema";
import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import assert from "node:assert/strict";
import { join } from "node:path";
import OpenAI from "openai";
import { review } from "./review.ts";

await using folder = await createTempFolder();
await using model = await startRecordingModelServer();
const settings = `model = "local/test-model"
system_prompt = "You review code in [prompt:cwd]."
append_system_prompt = "Answer in one line."
listen.port = 0
providers.local = { kind = "openai-compatible", base_url = "${model.url}" }`;
await using host = await createHost({
  config: parseConfig(settings, "check.ts"),
  dataFolder: join(folder.path, "data"),
  cwd: folder.path,
  env: {},
  writeLog: () => {},
});
const operator = createClient(host);
const client = new OpenAI({ baseURL: `${host.url}/v1`, apiKey: host.token });

/**
 * Returns the newest model call, its system texts and the source of its prompt. Asserts that its record is the request.
 */
async function newest(): Promise<{
  readonly call: ModelCall;
  readonly told: readonly string[];
  readonly won: string;
}> {
  const { calls } = await operator.call(routes.listCalls, { query: { limit: 1 } });
  const [call] = calls;
  assert.ok(call, "the call has no record");
  const params = { id: call.id };
  const { body } = await operator.call(routes.getCallRequest, { params });
  assert.equal(body, model.requests.at(-1)?.body);
  const { systemTexts: told, explain } = await operator.call(routes.explainCall, { params });
  return { call, told, won: explain?.tiers.find(({ won }) => won)?.source ?? "none" };
}

assert.equal(await review(client, "let x = 1"), "Reply 1");
const first = await newest();
assert.equal(first.call.status, "completed");
assert.deepEqual(first.told, [`You review code in ${folder.path}.\n\nAnswer in one line.`]);
assert.equal(first.won, "system_prompt of the configuration");

// The operator stores another prompt: the next call uses it without a change of the client.
await operator.call(routes.setSystemPrompt, { body: { template: "You look for bugs." } });
await review(client, "let x = 2");
const second = await newest();
assert.deepEqual(second.told, ["You look for bugs.\n\nAnswer in one line."]);
assert.equal(second.won, "stored template");

// The client's own system message takes precedence, as explain shows.
await client.chat.completions.create({
  model: "default",
  messages: [
    { role: "system", content: "You praise code." },
    { role: "user", content: "let x = 3" },
  ],
});
const third = await newest();
assert.deepEqual(third.told, ["You praise code.\n\nAnswer in one line."]);
assert.equal(third.won, "texts of the call");

// A conversation stored by the host for the client: each request extends the previous one.
const { id } = await client.conversations.create({ metadata: { topic: "tides" } });
await client.responses.create({ conversation: id, input: "When is high tide?" });
await client.responses.create({ conversation: id, input: "And tomorrow?" });
const [asked = "", askedAgain = ""] = model.requests.slice(-2).map(({ body }) => body);
assert.ok(askedAgain.startsWith(asked.slice(0, -"]}".length)));

// Errors have OpenAI's format.
const refusal = await client.chat.completions
  .create({ model: "gpt-4o", messages: [{ role: "user", content: "Hello" }] })
  .catch((error: unknown) => error);
assert.ok(refusal instanceof OpenAI.NotFoundError, String(refusal));
assert.equal(refusal.code, "model_not_found");

process.stdout.write("10-openai-client: 5 calls, each told what the host says, each with its record\n");
