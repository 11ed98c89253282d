import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { PageWorld } from "./page-world.ts";

const hostFolder = join(import.meta.dir, "../../packages/host-bin");
const everythingServer = Bun.resolveSync("@modelcontextprotocol/server-everything/dist/index.js", hostFolder);

test("[page-told] the page names the called tool, and lists servers with deferred tools", async () => {
  const server = `command = "${process.execPath}"\nargs = ["${everythingServer}", "stdio"]\ndefer = true\napprove = "allow"`;
  await using world = await PageWorld.start({ config: `[mcp.servers.all]\n${server}\n` });
  const { conversation } = await world.client.call(routes.createConversation, { body: {} });
  const { id } = conversation;
  const input = JSON.stringify({ name: "all__echo", input: { message: "Good morning" } });
  world.model.enqueue({ kind: "tool-calls", calls: [{ id: "call-1", name: "call_tool", arguments: input }] });
  for await (const { type } of world.client.sendTurn(id, { input: "Hello" })) if (type === "turn-end") break;
  const page = await world.signIn();

  await page.goto(`${world.host.url}/#/conversations/${id}`);
  await page.getByText("Tool all__echo").waitFor();
  const wrapped = await page.getByText("Tool call_tool").count();
  await page.goto(`${world.host.url}/#/conversations/${id}/told`);
  const line = page.getByText(
    /^\d+ deferred tools of all, found by tool search: "defer" is set in the configuration\.$/,
  );
  await line.waitFor();

  expect(wrapped).toBe(0);
  expect(world.complaints).toEqual([]);
}, 300_000);
