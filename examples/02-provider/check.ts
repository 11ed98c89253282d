/** Starts a real host with a model of this extension, and checks the answer, the request and its record. */
import { createHost, parseConfig } from "@incipit/host-bin";
import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import assert from "node:assert/strict";
import { join } from "node:path";
import extension from "./src/index.ts";

await using folder = await createTempFolder();
await using server = await startRecordingModelServer();
await using host = await createHost({
  config: parseConfig("listen.port = 0", "check.ts"),
  dataFolder: join(folder.path, "data"),
  cwd: folder.path,
  env: { ACME_URL: server.url, ACME_KEY: "acme-key-0123456789" },
  writeLog: () => {},
  extensions: [extension],
});
const client = createClient(host);

const { models } = await client.call(routes.listModels);
assert.ok(models.some(({ id }) => id === "acme/acme-small"));

server.enqueue({ kind: "text", chunks: ["I am ", "Acme."] }, { kind: "text", chunks: ["Still ", "Acme."] });
const { conversation } = await client.call(routes.createConversation, { body: { model: "acme/acme-small" } });
const texts: string[] = [];
for (const input of ["Who are you?", "And now?"]) {
  for await (const event of client.sendTurn(conversation.id, { input })) {
    if (event.type === "text-end") texts.push(event.text);
    if (event.type === "turn-end") assert.equal(event.status, "completed");
  }
}
assert.deepEqual(texts, ["I am Acme.", "Still Acme."]);

const [first, second] = server.requests;
assert.ok(first !== undefined && second !== undefined && server.requests.length === 2);
assert.equal(first.headers["authorization"], "Bearer acme-key-0123456789");
assert.ok(second.body.startsWith(first.body.replace(/\]\}$/, "")), "the second request extends the first");

const { id } = conversation;
const { steps } = await client.call(routes.listSteps, { params: { id } });
for (const [index, step] of steps.entries()) {
  const request = await client.call(routes.getStepRequest, { params: { id, stepId: step.id } });
  assert.equal(request.body, server.requests[index]?.body);
  assert.ok(!JSON.stringify(request).includes("acme-key"), "the record holds no key");
}
assert.equal(steps.length, 2);

process.stdout.write("02-provider: the answer came from Acme, and what was sent is what is shown\n");
