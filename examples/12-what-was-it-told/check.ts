/** Reads back a model's exact request, shows it without secrets, and replays it on another model. */
import { createHost, parseConfig } from "@incipit/host-bin";
import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import assert from "node:assert/strict";
import { join } from "node:path";

await using folder = await createTempFolder();
await using model = await startRecordingModelServer();
const key = "sk-proj-somebodyPastedThis01";
await Bun.write(join(folder.path, "AGENTS.md"), "Answer as a pirate would.");

await using host = await createHost({
  config: parseConfig(
    `model = "local/first"
system_prompt = "You are a careful helper. [file:AGENTS.md]"
listen.port = 0
providers.local = { kind = "openai-compatible", base_url = "${model.url}" }`,
    "check.ts",
  ),
  dataFolder: join(folder.path, "data"),
  cwd: folder.path,
  env: {},
  writeLog: () => {},
});
const client = createClient(host);

model.enqueue({ kind: "text", chunks: ["Arr, the tests be green."] });
const { conversation } = await client.call(routes.createConversation, { body: {} });
const { id } = conversation;
await Array.fromAsync(client.sendTurn(id, { input: `Do the tests pass? My key is ${key}` }));

// The request contains the text, and the explanation names its file.
const { steps } = await client.call(routes.listSteps, { params: { id } });
const params = { id, stepId: steps[0]?.id ?? "" };
const request = await client.call(routes.getStepRequest, { params });
assert.equal(request.body, model.requests[0]?.body.replace(key, "[redacted:api-key]"));
assert.ok(request.body.includes("Answer as a pirate would."));
const { explain } = await client.call(routes.explainConversation, { params: { id } });
assert.ok(JSON.stringify(explain?.variables).includes("AGENTS.md"));

// The redacted record for sharing has the reply and the explanation, without the key that the model did receive.
const record = await client.call(routes.getStepRecord, { params });
assert.ok(model.requests[0]?.body.includes(key));
assert.ok(!JSON.stringify(record).includes(key));
assert.deepEqual(record.systemTexts, ["You are a careful helper. Answer as a pirate would."]);

// Another model gets the same bytes except for its name. The conversation is not changed.
model.enqueue({ kind: "text", chunks: ["They pass, matey."] });
const { replay } = await client.call(routes.replayStep, { params, body: { model: "local/second" } });
assert.equal(model.requests[1]?.body, model.requests[0]?.body.replace('"first"', '"second"'));
const said = [replay.original, replay.replay].map((answer) =>
  answer?.parts.map((part) => "text" in part && part.text),
);
assert.deepEqual(said, [["Arr, the tests be green."], ["They pass, matey."]]);
assert.equal((await client.call(routes.listMessages, { params: { id } })).messages.length, 2);

process.stdout.write("12-what-was-it-told: read back, shown without its key, and asked again of another model\n");
