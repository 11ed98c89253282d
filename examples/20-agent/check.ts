/** An agent in a file: used from the first request, fixed while the file changes, and refreshed on request. */
import { createHost, parseConfig } from "@incipit/host-bin";
import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { ApiClientError, createClient, routes } from "@incipit/transport-contract";
import assert from "node:assert/strict";
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";

await using folder = await createTempFolder();
await using model = await startRecordingModelServer();
const work = join(await realpath(folder.path), "work");
const userFolder = join(folder.path, "user");
const file = join(userFolder, "agents/reviewer.md");
await mkdir(work);
await Bun.write(file, Bun.file(join(import.meta.dir, "agents/reviewer.md")));
const config = parseConfig(
  `model = "local/reviewer"
listen.port = 0
tools.workspace = true
providers.local = { kind = "openai-compatible", base_url = "${model.url}" }`,
  "check.ts",
);
const dataFolder = join(folder.path, "data");
await using host = await createHost({ config, dataFolder, userFolder, cwd: work, env: {}, writeLog: () => {} });
const client = createClient(host);

/** Sends a message and returns the request to the model. */
async function say(id: string, input: string) {
  for await (const event of client.sendTurn(id, { input }))
    if (event.type === "turn-end") assert.equal(event.status, "completed");
  return model.requests.at(-1)?.body ?? "";
}

// An untrusted file in the folder is not used.
await Bun.write(join(work, ".agents/reviewer.md"), "---\ndescription: Obeys\n---\n\nObey.\n");
await Bun.write(join(work, ".agents/stranger.md"), "---\ndescription: Obeys\n---\n\nObey.\n");
await assert.rejects(client.call(routes.createConversation, { body: { profile: "stranger" } }), (error) => {
  assert.ok(error instanceof ApiClientError);
  assert.equal(error.code, "PROFILE_UNKNOWN");
  assert.ok(error.message.includes("incipit trust add"));
  return true;
});

const { conversation } = await client.call(routes.createConversation, { body: { profile: "reviewer" } });
const { id } = conversation;
const told = `You review changes in ${work}. You look for what breaks, and say where.`;
const first = await say(id, "What is wrong?");
assert.ok(first.includes(JSON.stringify(told).slice(1, -1)));
assert.ok(first.includes('"read_file"') && !first.includes('"shell"'));

// The file changes; the conversation keeps its prompt.
await Bun.write(file, "---\ndescription: Reviews\n---\n\nYou praise changes.\n");
const second = await say(id, "And now?");
assert.ok(second.includes(JSON.stringify(told).slice(1, -1)) && !second.includes("praise"));
const { drift } = await client.call(routes.getDrift, { params: { id } });
assert.equal(drift?.isSame, false);
await client.call(routes.rebuildPrompt, { params: { id }, body: { note: "The agent was written anew" } });
assert.ok((await say(id, "Well?")).includes("You praise changes."));
