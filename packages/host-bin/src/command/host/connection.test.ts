import { createTempFolder } from "@incipit/testkit";
import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { loadConfig } from "../../config/load-config.ts";
import { connect, type HostStart } from "./connection.ts";

async function startIn(folder: string): Promise<HostStart> {
  const loaded = loadConfig({ cwd: folder, env: { HOME: folder }, named: [], flags: {} });
  return {
    dataFolder: join(folder, "data"),
    userFolder: folder,
    isUnconfigured: true,
    offered: [],
    config: async () => loaded.config(),
  };
}

test("a command whose host was inside another command goes on when that has ended", async () => {
  await using folder = await createTempFolder();
  const start = await startIn(folder.path);
  const options = { cwd: folder.path, err: () => {} };
  const one = await connect(start, options);
  await using other = await connect(start, options);
  const before = other.isInside;
  const { conversation } = await other.client.call(routes.createConversation, { body: {} });
  await one[Symbol.asyncDispose]();

  const asked = await Promise.all([
    other.client.call(routes.getConversation, { params: { id: conversation.id } }),
    other.client.call(routes.listConversations),
  ]);

  expect([one.isInside, before, other.isInside]).toEqual([true, false, true]);
  expect(asked[0].conversation.id).toBe(conversation.id);
  expect(asked[1].conversations).toHaveLength(1);
});
