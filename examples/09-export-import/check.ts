/** Exports a conversation from one host and imports it into another, where it continues with the same bytes. */
import { createHost, parseConfig, type RunningHost } from "@incipit/host-bin";
import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { ApiClientError, createClient, routes } from "@incipit/transport-contract";
import assert from "node:assert/strict";
import { join } from "node:path";

await using folder = await createTempFolder();
await using model = await startRecordingModelServer();
const settings = `model = "local/test-model"
listen.port = 0
providers.local = { kind = "openai-compatible", base_url = "${model.url}" }`;

function startHost(name: string): Promise<RunningHost> {
  return createHost({
    config: parseConfig(settings, "check.ts"),
    dataFolder: join(folder.path, name),
    cwd: folder.path,
    env: {},
    writeLog: () => {},
  });
}

await using laptop = await startHost("laptop");
await using server = await startHost("server");
const here = createClient(laptop);
const there = createClient(server);

const { conversation } = await here.call(routes.createConversation, { body: { title: "Moving" } });
const { id } = conversation;
for (const input of ["One", "Two"]) await Array.fromAsync(here.sendTurn(id, { input }));
const before = model.requests.at(-1)?.body ?? "";

// JSON Lines. The last line is `end`, so that a truncated file is detected.
const file = join(folder.path, "conversation.jsonl");
await Bun.write(file, new Response(await here.exportConversation(id)));
const lines = (await Bun.file(file).text()).trimEnd().split("\n");
assert.deepEqual(JSON.parse(lines[0] ?? ""), { type: "incipit-conversation", version: 1 });

const cut = there.importConversation(new Blob([lines.slice(0, -1).join("\n")]));
const failure = await cut.catch((error: unknown) => error);
assert.ok(failure instanceof ApiClientError && failure.code === "INVALID_REQUEST");
assert.deepEqual((await there.call(routes.listConversations)).conversations, []);

const imported = await there.importConversation(Bun.file(file));
assert.equal(imported.id, id);
assert.equal(await new Response(await there.exportConversation(id)).text(), await Bun.file(file).text());

await Array.fromAsync(there.sendTurn(id, { input: "Three" }));
const after = model.requests.at(-1)?.body ?? "";
assert.ok(
  after.startsWith(before.slice(0, -"]}".length)),
  "it does not go on with the bytes that were sent before",
);

process.stdout.write(
  `09-export-import: ${lines.length} lines, the same in both hosts, and the next turn goes on\n`,
);
