import { routes } from "@incipit/transport-contract";
import { expect } from "bun:test";
import { createProxyServer } from "http-proxy-3";
import { once } from "node:events";
import { createServer } from "node:http";
import { fillIn, makeToken, serveExample } from "./frontend-world.ts";
import { test } from "./page-test.ts";

const pagePath = "/event-source.html";

test("[frontends] cross-origin EventSource follows with a ticket across swaps and restarts until revocation", async (hosts) => {
  await using site = { server: await serveExample(), [Symbol.asyncDispose]: () => site.server.stop(true) };
  const { origin } = site.server.url;
  const world = await hosts.start({ config: `[listen]\nallowed_origins = ["${origin}"]\n` });
  const { id: tokenId, secret } = await makeToken(world, ["read"]);
  const { conversation } = await world.client.call(routes.createConversation, { body: {} });
  const { id } = conversation;
  const say = async (text: string): Promise<void> => {
    world.model.enqueue({ kind: "text", chunks: [text] });
    await Array.fromAsync(world.client.sendTurn(id, { input: "Count" }));
  };
  await say("one");
  const tab = await world.newTab();
  const tickets: string[] = [];
  tab.on("request", (request) => {
    if (request.method() === "GET" && request.url().includes("ticket=")) tickets.push(request.url());
  });
  await tab.goto(`${origin}${pagePath}`);
  await fillIn(tab, { Host: world.host.url, Token: secret, Conversation: id }, "Follow");
  const reply = tab.locator("#reply");
  await reply.getByText("one [completed]").waitFor();
  await say("two");
  await reply.getByText("one [completed] two [completed]").waitFor();
  await world.client.call(routes.swapExtension, { params: { id: "transport-http" }, body: {} });
  await say("three");
  await reply.getByText("two [completed] three [completed]").waitFor();
  const untilRestart = new Set(tickets);
  await world.kill("SIGKILL");
  await tab.getByText("away").waitFor();
  await world.startAgain();
  await say("four");
  await reply.getByText("three [completed] four [completed]").waitFor();
  const all = new Set(tickets);
  await world.client.call(routes.revokeToken, { params: { id: tokenId } });
  await tab.getByText("This token was revoked").waitFor();

  expect(await reply.textContent()).toBe("one [completed] two [completed] three [completed] four [completed] ");
  expect(untilRestart.size).toBe(1);
  expect(all.size).toBe(2);
  await world.kill("SIGTERM");
  const log = await world.host.stderr();
  for (const url of all) expect(log).not.toContain(new URL(url).searchParams.get("ticket"));
});

async function devServer(
  target: () => string,
  site: Bun.Server<undefined>,
): Promise<AsyncDisposable & { readonly origin: string }> {
  const proxy = createProxyServer({ changeOrigin: true });
  const server = createServer((request, response) => {
    const isApi = request.url?.startsWith("/api/") === true;
    if (isApi) request.url = request.url?.slice("/api".length);
    proxy.web(request, response, { target: isApi ? target() : site.url.origin }, () => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The development server has no port");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("[frontends] a page behind a development proxy with another Host works once its origin is configured", async (hosts) => {
  await using site = { server: await serveExample(), [Symbol.asyncDispose]: () => site.server.stop(true) };
  let url = "";
  await using server = await devServer(() => url, site.server);
  const { origin } = server;
  const world = await hosts.start({ config: `[listen]\nallowed_origins = ["${origin}"]\n` });
  ({ url } = world.host);
  const { secret } = await makeToken(world, ["read", "converse"]);
  const tab = await world.newTab();
  await tab.goto(origin);
  world.model.enqueue({ kind: "text", chunks: ["one ", "two"], gate: true });
  await fillIn(tab, { Host: `${origin}/api`, Token: secret }, "Connect");
  await tab.getByText("connected").waitFor();
  await fillIn(tab, { Message: "Count" }, "Send");
  await tab.locator("#reply").getByText("one").waitFor();
  for (let count = 0; count < 6; count += 1) world.model.release();
  await tab.locator("#reply").getByText("one two").waitFor();
  const { conversations } = await world.client.call(routes.listConversations);
  await tab.goto(`${origin}${pagePath}`);
  const id = conversations[0]?.id ?? "";
  await fillIn(tab, { Host: `${origin}/api`, Token: secret, Conversation: id }, "Follow");
  await tab.locator("#reply").getByText("one two [completed]").waitFor();

  expect(conversations).toHaveLength(1);
});
