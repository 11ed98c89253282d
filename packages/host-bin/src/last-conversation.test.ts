import { createTempFolder } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { lastConversation } from "./command/arguments/named-conversation.ts";
import { parseConfig } from "./config/parse-config.ts";
import { createHost } from "./create-host.ts";

test("lastConversation skips an empty conversation and returns a non-empty fork", async () => {
  await using folder = await createTempFolder();
  await using host = await createHost({
    config: parseConfig("listen.port = 0", "incipit.toml"),
    dataFolder: join(folder.path, "data"),
    cwd: folder.path,
    env: {},
    writeLog: () => {},
  });
  const client = createClient(host);
  const create = async (): Promise<string> =>
    (await client.call(routes.createConversation, { body: { cwd: folder.path } })).conversation.id;
  const say = async (id: string): Promise<void> => {
    for await (const _ of client.sendTurn(id, { input: "Hello" }, { idempotencyKey: crypto.randomUUID() }));
  };

  await create();
  const none = await lastConversation(client, folder.path).catch(String);
  const spoken = await create();
  await say(spoken);
  await create(); // Created by an editor that closed immediately.
  const last = await lastConversation(client, folder.path);
  const { conversation } = await client.call(routes.forkConversation, { params: { id: spoken }, body: {} });
  const forked = await lastConversation(client, folder.path);

  expect(none).toContain("There is no conversation in");
  expect(last).toBe(spoken);
  expect(forked).toBe(conversation.id);
});
