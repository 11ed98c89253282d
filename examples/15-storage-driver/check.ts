/**
 * Starts a real host that stores a conversation with this driver, chosen by the configuration, and reads it after a
 * restart.
 */
import { createHost, parseConfig, type RunningHost } from "@incipit/host-bin";
import { createTempFolder } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

await using folder = await createTempFolder();
const journal = join(folder.path, "journal");
const dataFolder = join(folder.path, "data");

function start(storage: string): Promise<RunningHost> {
  const config = parseConfig(`listen.port = 0\n${storage}`, "check.ts", { dataFolder });
  return createHost({ config, dataFolder, cwd: folder.path, env: {}, writeLog: () => {} });
}

// Added while SQLite stores: it requires approval and stays inactive until the configuration selects it.
const settings = `extensions.paths = [${JSON.stringify(import.meta.dir)}]
extensions.settings."acme.journal".path = ${JSON.stringify(journal)}`;
{
  await using host = await start(settings);
  const grant = { system: true, provides: ["storage-driver@1"] } as const;
  const { extension } = await createClient(host).call(routes.addExtension, {
    body: { path: import.meta.dir, grant: { ...grant, provides: [...grant.provides] } },
  });
  assert.equal(extension.phase, "stopped");
}

const chosen = `${settings}\nstorage.use = "acme.journal"`;
let id = "";
{
  await using host = await start(chosen);
  const client = createClient(host);
  const { conversation } = await client.call(routes.createConversation, { body: {} });
  id = conversation.id;
  for await (const event of client.sendTurn(conversation.id, { input: "Are you in the journal?" }))
    if (event.type === "turn-end") assert.equal(event.status, "completed");
}
assert.ok((await readFile(journal, "utf8")).includes("Are you in the journal?"));

{
  await using host = await start(chosen);
  const client = createClient(host);
  const { conversations } = await client.call(routes.listConversations);
  assert.deepEqual(
    conversations.map((conversation) => conversation.id),
    [id],
  );
  const { extensions } = await client.call(routes.listExtensions);
  assert.equal(extensions.find((extension) => extension.id === "storage-sqlite")?.phase, "stopped");
}

process.stdout.write("15-storage-driver: the conversation is in the journal, and there again after a restart\n");
