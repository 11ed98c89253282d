/** Embeds a host in a program: a conversation and its request record, without a port or configuration file. */
import { createHost } from "@incipit/host";
import providerOffline from "@incipit/provider-offline";
import { conversationRecordsHandle, conversationsHandle } from "@incipit/service-contract";
import sessionOrchestrator from "@incipit/session-orchestrator";
import storageSqlite from "@incipit/storage-sqlite";
import systemPrompt from "@incipit/system-prompt";
import { createTempFolder } from "@incipit/testkit";
import assert from "node:assert/strict";

await using folder = await createTempFolder();
await using host = await createHost({
  dataFolder: folder.path,
  defaults: { model: "offline/echo", cwd: folder.path, systemPrompt: "You work in [prompt:cwd]." },
  extensions: [
    { extension: storageSqlite, settings: ({ databasePath }) => ({ path: databasePath }) },
    systemPrompt,
    sessionOrchestrator,
    providerOffline,
  ],
});

const conversations = host.service(conversationsHandle);
const { id } = await conversations.create({});
const { turnId, afterSeq } = await conversations.send(id, { input: "What were you told?" });
let reply = "";
for await (const event of conversations.follow(id, { turnId, afterSeq })) {
  if (event.type === "text-end") reply += event.text;
  if (event.type === "turn-end") assert.equal(event.status, "completed");
}
assert.ok(reply.includes(`You work in ${folder.path}.`), reply);

// The request can be read back byte for byte.
const records = host.service(conversationRecordsHandle);
const { items: steps } = await records.steps(id, { limit: 10 });
assert.equal(steps.length, 1);
const { body } = await records.stepRequest(id, steps[0]?.id ?? "");
assert.ok(body.includes(`You work in ${folder.path}.`) && body.includes("What were you told?"), body);

// No port is open: only this program can use the host.
assert.equal(host.url, undefined);

process.stdout.write(`14-embed: ${reply.split("\n", 1)[0]}\n`);
