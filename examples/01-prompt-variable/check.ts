/** Starts a real host whose template uses this extension's variable, and checks its value in the request. */
import { createHost, parseConfig } from "@incipit/host-bin";
import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import assert from "node:assert/strict";
import { join } from "node:path";
import extension from "./src/index.ts";

await using folder = await createTempFolder();
await using model = await startRecordingModelServer();
const work = join(folder.path, "work");
await Bun.write(join(work, "package.json"), '{ "name": "otter", "version": "1.2.3" }');
const settings = `model = "local/test-model"
listen.port = 0
providers.local = { kind = "openai-compatible", base_url = "${model.url}" }`;
await using host = await createHost({
  config: parseConfig(settings, "check.ts"),
  dataFolder: join(folder.path, "data"),
  cwd: work,
  env: {},
  writeLog: () => {},
  extensions: [extension],
});
const client = createClient(host);

const { variables } = await client.call(routes.getSystemPromptVariables);
const listed = variables.filter(({ type }) => type === "package").map(({ name }) => name);
assert.deepEqual(listed, ["name", "version", "description"]);

const template =
  "You work on [package:name] [package:version][if package:description]: [package:description][endif].";
await client.call(routes.setSystemPrompt, { body: { template } });
const { conversation } = await client.call(routes.createConversation, { body: {} });
for await (const event of client.sendTurn(conversation.id, { input: "Hello" })) {
  if (event.type === "turn-end") assert.equal(event.status, "completed");
}

const sent: unknown = JSON.parse(model.requests[0]?.body ?? "null");
assert.partialDeepStrictEqual(sent, { messages: [{ role: "system", content: "You work on otter 1.2.3." }] });

const { explain } = await client.call(routes.explainConversation, { params: { id: conversation.id } });
const version = explain?.variables.find(({ name }) => name === "version");
assert.partialDeepStrictEqual(version, { type: "package", value: "1.2.3", source: "acme.package-json" });
const description = explain?.variables.find(({ name }) => name === "description");
assert.partialDeepStrictEqual(description, { kind: "absent", reason: "not-set" });

process.stdout.write("01-prompt-variable: the prompt that was sent has the variables' values\n");
