import { routes } from "@incipit/transport-contract";
import { expect } from "bun:test";
import { test } from "./page-test.ts";
import { everythingServer, mcpServer } from "../support/mcp-programs.ts";

test("[page-told] the page names the called tool, and lists servers with deferred tools", async (hosts) => {
  const config = mcpServer("all", [everythingServer, "stdio"], 'defer = true\napprove = "allow"');
  const world = await hosts.start({ config });
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
});
