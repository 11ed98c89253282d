import { pageKeyHeader, routes } from "@incipit/transport-contract";
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import * as z from "zod";
import { fillIn, makeToken, serveExample } from "./frontend-world.ts";
import { test } from "./page-test.ts";

async function say(tab: Page, text: string): Promise<void> {
  await fillIn(tab, { Message: text }, "Send");
}

test("[frontends] an allowed cross-origin page holds a full conversation with a limited token", async (hosts) => {
  await using site = { server: await serveExample(), [Symbol.asyncDispose]: () => site.server.stop(true) };
  const origin = site.server.url.origin;
  const world = await hosts.start({
    config: `[listen]\nallowed_origins = ["${origin}"]\n[tools]\nworkspace = true\n`,
  });
  const tab = await world.newTab();
  await tab.goto(origin);
  const { secret } = await makeToken(world, ["read", "converse"]);
  await fillIn(tab, { Host: world.host.url, Token: secret }, "Connect");
  await tab.getByText("connected").waitFor();
  world.model.enqueue({ kind: "text", chunks: ["one ", "two"], gate: true });
  await say(tab, "Count");
  await tab.locator("#reply").getByText("one").waitFor();
  world.model.releaseAll();
  await tab.locator("#reply").getByText("one two").waitFor();
  await tab.getByText("completed").waitFor();
  world.model.enqueue({ kind: "text", chunks: [" three", " four"], gate: true });
  await say(tab, "Go on");
  await tab.locator("#reply").getByText("one two three").waitFor();
  await world.kill("SIGKILL");
  await tab.getByText("away").waitFor();
  await world.startAgain();
  await tab.getByText("interrupted").waitFor();
  const input = JSON.stringify({ path: "new.txt", content: "hello" });
  world.model.enqueue(
    { kind: "tool-calls", calls: [{ id: "call-1", name: "write_file", arguments: input }] },
    { kind: "text", chunks: [" and written"] },
  );
  await say(tab, "Write");
  await tab.getByRole("button", { name: "allow" }).click();
  await tab.locator("#reply").getByText("one two three and written").waitFor();
  const { conversations } = await world.client.call(routes.listConversations);
  const [id = ""] = conversations.map((conversation) => conversation.id);
  const { systemPrompt } = await world.client.call(routes.getConversationSystemPrompt, { params: { id } });

  expect(await tab.locator("#told").textContent()).toBe(systemPrompt);
  expect(systemPrompt).not.toBe("");
});

test("[frontends] a page of another origin gets nothing, even with the token", async (hosts) => {
  await using site = { server: await serveExample(), [Symbol.asyncDispose]: () => site.server.stop(true) };
  const world = await hosts.start({ config: '[listen]\nallowed_origins = ["https://app.example"]\n' });
  const tab = await world.newTab();
  await tab.goto(site.server.url.origin);
  await fillIn(tab, { Host: world.host.url, Token: world.host.token }, "Connect");
  // The browser hides the reason; the page still names the setting to check.
  await tab.getByText(`is "${site.server.url.origin}" in its listen.allowed_origins?`).waitFor();

  expect((await world.client.call(routes.listConversations)).conversations).toEqual([]);
});

test("[frontends] an allowed page cannot use the browser's own sign-in", async (hosts) => {
  await using site = { server: await serveExample(), [Symbol.asyncDispose]: () => site.server.stop(true) };
  const origin = site.server.url.origin;
  const { world, page } = await hosts.open({ config: `[listen]\nallowed_origins = ["${origin}"]\n` });
  const key = z.string().parse(await page.evaluate(`localStorage.getItem("${pageKeyHeader}")`));
  const [cookie] = await world.context.cookies();
  const tab = await world.newTab();
  await tab.goto(origin);
  const ask = `fetch("${world.host.url}/conversations", { credentials: "include" }).then(() => "let in", () => "kept out")`;
  const status = await fetch(`${world.host.url}/conversations`, {
    headers: { origin, cookie: `${cookie?.name}=${cookie?.value}`, [pageKeyHeader]: key },
  }).then((response) => response.status);

  expect(await tab.evaluate(ask)).toBe("kept out");
  expect(status).toBe(401);
});
