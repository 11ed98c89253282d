import { tokenScopeSchema } from "@incipit/schema";
import { createTempFolder } from "@incipit/testkit";
import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { TokenWorld } from "./token-world.ts";

const fixture = join(import.meta.dir, "../../packages/host-bin/src/mcp-tools/testing/mcp-fixture-server.ts");

test("[attack:tokens-start-server] a token with every scope cannot start an MCP server; the host's own can", async () => {
  await using world = await TokenWorld.start();
  await using folder = await createTempFolder();
  const pids = join(folder.path, "pids");
  const args = [fixture, "plain", pids];
  const servers = [{ kind: "stdio" as const, name: "x", command: process.execPath, args, env: {} }];
  const { conversation } = await world.client.call(routes.createConversation, { body: {} });
  const path = `/conversations/${conversation.id}/tool-servers`;
  const { secret: token } = await world.make([...tokenScopeSchema.options]);

  const refusal = await world.ask("POST", path, { token, body: { servers } });
  const seen = await world.ask("GET", path, { token });

  expect([refusal.status, await refusal.json()]).toMatchObject([403, { error: { code: "FORBIDDEN_SCOPE" } }]);
  expect(await seen.json()).toEqual({ servers: [] });
  expect(await Bun.file(pids).exists()).toBe(false);

  for await (const event of world.client.offerToolServers(conversation.id, servers)) {
    if (event.servers[0]?.tools === null) continue;
    expect(event.servers).toMatchObject([{ name: "x", state: "running" }]);
    break;
  }
  expect(await Bun.file(pids).exists()).toBe(true);
});
