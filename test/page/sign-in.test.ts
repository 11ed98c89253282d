import { pageKeyHeader, routes } from "@incipit/transport-contract";
import { saidMessage } from "@incipit/testkit";
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import * as z from "zod";
import { incipit } from "../support/host-process.ts";
import { endOf } from "../tokens/stream-end.ts";
import { test } from "./page-test.ts";
import { longestWaitMs, until } from "./until.ts";

async function keyOf(page: Page): Promise<string> {
  return z.string().parse(await page.evaluate(`localStorage.getItem("${pageKeyHeader}")`));
}

test("[page-sign-in] the link of serve signs one browser in once and leaves no code", async (hosts) => {
  const { world, page } = await hosts.open({ browser: "complete" });
  const cookies = await world.context.cookies();
  const other = await (await world.context.browser()?.newContext())?.newPage();
  other?.setDefaultTimeout(longestWaitMs);
  await other?.goto(world.host.page);
  await other?.getByRole("heading", { name: "Sign in to Incipit" }).waitFor();

  expect(page.url()).toBe(`${world.host.url}/`);
  expect(cookies).toMatchObject([{ httpOnly: true, sameSite: "Strict", path: "/" }]);
  expect(await other?.getByRole("alert").textContent()).toContain("was used before");
  expect(await other?.locator("pre").first().textContent()).toBe("incipit page");
  await other?.context().close();
});

test("[page-sign-in] a browser stays signed in across a restart until it signs out", async (hosts) => {
  const { world, page } = await hosts.open({ browser: "complete" });
  await world.kill("SIGTERM");
  await world.startAgain();
  await page.reload();
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in to Incipit" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Sign in to Incipit" }).waitFor();

  expect(await world.context.cookies()).toEqual([]);
});

test("[page-sign-in] the link also signs in a waiting tab, which reports a used one", async (hosts) => {
  const { world, page } = await hosts.open({ browser: "complete" });
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByText("You are signed out.").waitFor();
  await page.goto(world.host.page);
  const said = await page.getByRole("alert").textContent();
  await page.goto((await world.client.call(routes.createSignInLink)).url);
  await page.getByRole("textbox", { name: "Message" }).waitFor();

  expect(said).toContain("was used before");
  expect(page.url()).toBe(`${world.host.url}/`);
});

test("[page-sign-in] signing out takes effect in every tab and leaves no draft", async (hosts) => {
  const { page } = await hosts.open({ browser: "complete" });
  await page.getByRole("textbox", { name: "Message" }).fill("What I had written");
  await page.route(`**${routes.signOut.path}`, async (route) => {
    if (route.request().method() !== routes.signOut.method) return route.continue();
    const response = await route.fetch();
    // Signed out at the host, before the page knows.
    const ended = page.getByText("The sign-in of this browser has ended");
    // A background request may have noticed already, which removes the search field.
    await Promise.any([page.getByRole("searchbox").fill("anything"), ended.waitFor()]);
    await ended.waitFor();
    await route.fulfill({ response });
  });
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();
  await page.getByText("You are signed out.").waitFor();
  await until(page, '!JSON.stringify({ ...localStorage, ...sessionStorage }).includes("What I had written")');
});

test("[page-sign-in] an expired sign-in is reported, and unsaved work survives the next one", async (hosts) => {
  const { world, page } = await hosts.open({ browser: "complete" });
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill("Begin");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Continue from here" }).waitFor();
  await field.fill("What I had written");
  await world.context.clearCookies();
  await page.keyboard.press("Enter");
  await page.getByText("The sign-in of this browser has ended").waitFor();
  const other = await world.newTab();
  await other.goto((await world.client.call(routes.createSignInLink)).url);
  await other.getByRole("navigation").waitFor();
  await page.evaluate('dispatchEvent(new Event("focus"))');
  await field.waitFor();

  expect(await field.inputValue()).toBe("What I had written");
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Begin");
  expect(world.model.requests).toHaveLength(1);
});

test("[page-sign-in] signing out confirms unsaved work and removes it from every tab", async (hosts) => {
  const world = await hosts.start({ browser: "complete" });
  const id = await world.importConversation("Secret title", [saidMessage("user", "Hello")]);
  const page = await world.signIn();
  await page.getByRole("link", { name: "Secret title" }).click();
  // The previous view has a field of this name.
  await page.getByRole("heading", { name: "Secret title" }).waitFor();
  await page.getByRole("textbox", { name: "Message" }).fill("A secret message");
  const second = await world.newTab();
  await second.goto(`${world.host.url}/#/prompt`);
  const editor = second.getByRole("textbox", { name: "Template of the system prompt" });
  await editor.click();
  await second.keyboard.type("A secret template");
  // Stored shortly after typing.
  await until(second, "JSON.stringify({ ...localStorage }).includes('A secret template')");
  const third = await world.newTab();
  await third.goto(`${world.host.url}/#/conversations`);
  await third.getByRole("textbox", { name: "Message" }).fill("A secret elsewhere");
  await page.getByRole("button", { name: "Sign out" }).click();
  const question = page.getByRole("dialog", { name: "Sign out of this browser?" });
  const said = await question.textContent();
  await question.getByRole("button", { name: "Cancel" }).click();
  const afterCancel = await page.getByRole("textbox", { name: "Message" }).inputValue();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("“Secret title” is deleted.").waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await question.getByRole("button", { name: "Sign out" }).click();
  for (const tab of [page, second, third]) {
    await tab.getByText("You are signed out.").waitFor();
    // A view's stored state is removed after this is drawn.
    await until(tab, `!/secret|${id}/i.test(JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))`);
  }
  // Other tabs are notified of the removal later.
  for (const tab of [page, second, third])
    await until(tab, `!/secret|${id}/i.test(JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))`);
  const kept = await Promise.all(
    [page, second, third].map((tab) =>
      tab.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])"),
    ),
  );
  const list = await world.client.call(routes.listConversations, { query: { archived: "all" } });

  expect(said).toContain("Unsent messages in this tab will be lost (1)");
  expect(said).toContain("Unsaved system prompts will be lost (1)");
  expect(afterCancel).toBe("A secret message");
  for (const text of kept) {
    expect(text).not.toMatch(/secret/i);
    expect(text).not.toContain(id);
  }
  expect(list.conversations).toEqual([]);
});

test("[page-sign-in] incipit page prints a link to the running host, or an error", async (hosts) => {
  const world = await hosts.start({ browser: "complete" });
  const { host } = world;
  const folder = await world.client.call(routes.createConversation, { body: {} });
  const { cwd } = folder.conversation;
  const printed = await incipit(["page", "--data", `${cwd}/data`], { cwd, home: cwd });
  const tab = await world.newTab();
  await tab.goto(printed.stdout.trim());
  await tab.getByRole("navigation").waitFor();
  await world.kill("SIGTERM");
  const none = await incipit(["page", "--data", `${cwd}/data`], { cwd, home: cwd });

  expect(printed).toMatchObject({ exitCode: 0 });
  expect(printed.stdout.startsWith(`${host.url}/#code=`)).toBe(true);
  expect(none.exitCode).toBe(1);
  expect(none.stderr).toContain('start it with "incipit serve"');
});

test("[page-sign-in] the cookie is valid only for the host's own page", async (hosts) => {
  const world = await hosts.start({ browser: "complete" });
  const key = await keyOf(await world.signIn());
  const [cookie] = await world.context.cookies();
  const { url } = world.host;
  const ask = async (path: string, method: string, headers: Readonly<Record<string, string>>): Promise<number> =>
    (
      await fetch(`${url}${path}`, {
        method,
        headers: { cookie: `${cookie?.name}=${cookie?.value}`, [pageKeyHeader]: key, ...headers },
      })
    ).status;
  const port = Number(new URL(url).port);

  expect(await ask("/conversations", "GET", { "sec-fetch-site": "same-origin" })).toBe(200);
  expect(await ask("/session/links", "POST", { origin: url })).toBe(201);
  // Another local program in the same browser, which sends the cookie along.
  expect(await ask("/conversations", "GET", { "sec-fetch-site": "same-site" })).toBe(401);
  expect(await ask("/conversations", "GET", { origin: `http://127.0.0.1:${port + 1}` })).toBe(403);
  expect(await ask("/session", "DELETE", { origin: `http://127.0.0.1:${port + 1}` })).toBe(403);
  expect(await ask("/session", "DELETE", {})).toBe(401);
  expect(await ask("/conversations", "GET", { cookie: `incipit-${port + 1}=${cookie?.value}` })).toBe(401);
  expect(await ask("/conversations", "GET", { cookie: `${cookie?.name}=9${cookie?.value}` })).toBe(401);
  expect(await ask("/conversations", "GET", { cookie: "" })).toBe(401);
  expect(await ask("/session", "DELETE", { origin: url })).toBe(200);
  expect(await ask("/conversations", "GET", {})).toBe(401);
});

test("[page-policy] the page makes no external requests and runs only the host's files", async (hosts) => {
  const world = await hosts.start({ browser: "complete" });
  const asked: string[] = [];
  world.context.on("request", (request) => asked.push(request.url()));
  await world.signIn();
  const answers = await Promise.all(
    [...new Set(asked.map((address) => address.replace(/#.*/, "")))]
      .filter((address) => new URL(address).pathname.match(/^\/([\w-]+\.\w+)?$/))
      .map((address) => fetch(address)),
  );
  const policies = answers.map(({ headers }) => headers.get("content-security-policy") ?? "");

  const encoded = await fetch(`${world.host.url}/`, { headers: { "accept-encoding": "gzip" }, decompress: false });
  const plain = await fetch(`${world.host.url}/`, { headers: { "accept-encoding": "identity" } });

  expect(encoded.headers.get("content-encoding")).toBe("gzip");
  expect(new TextDecoder().decode(Bun.gunzipSync(await encoded.arrayBuffer()))).toBe(await plain.text());
  expect(asked.length).toBeGreaterThan(3);
  expect(asked.filter((address) => !address.startsWith(world.host.url))).toEqual([]);
  expect(policies.length).toBeGreaterThan(1);
  for (const policy of policies) {
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe");
  }
});

test("[attack:browser-copied-cookie] a copied cookie is invalid after sign-out, also for streams, tickets and after restart", async (hosts) => {
  const { world, page } = await hosts.open({ browser: "complete" });
  const [cookie] = await world.context.cookies();
  const copied = {
    cookie: `${cookie?.name}=${cookie?.value}`,
    [pageKeyHeader]: await keyOf(page),
    "sec-fetch-site": "same-origin",
  };
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${world.host.url}${path}`, {
      ...init,
      headers: { ...copied, "content-type": "application/json" },
    });
  const { conversation } = await world.client.call(routes.createConversation, { body: {} });
  const events = `/conversations/${conversation.id}/events`;
  const body = JSON.stringify({ conversationId: conversation.id });
  const made = await ask("/tickets", { method: "POST", body });
  const { ticket } = z.object({ ticket: z.string() }).parse(await made.json());
  const streams = [await ask(events), await fetch(`${world.host.url}${events}?ticket=${ticket}`)];
  const listed = await world.client.call(routes.listTokens);
  expect(listed.tokens).toMatchObject([{ kind: "browser", name: "Chrome on Linux", state: "active" }]);
  expect(streams.map(({ status }) => status)).toEqual([200, 200]);

  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in to Incipit" }).waitFor();

  for (const stream of streams) expect((await endOf(stream)).end).toBe("cut");
  expect((await ask("/conversations")).status).toBe(401);
  expect((await fetch(`${world.host.url}${events}?ticket=${ticket}`)).status).toBe(401);
  await world.kill("SIGKILL");
  await world.startAgain();
  expect((await ask("/conversations")).status).toBe(401);
});

test("[attack:browser-cached-answers] no response of the host remains in the browser's cache after sign-out", async (hosts) => {
  const world = await hosts.start({ browser: "complete" });
  await world.importConversation("Secret title", [saidMessage("user", "My secret words")]);
  const page = await world.signIn();
  await page.getByRole("link", { name: "Secret title" }).click();
  await page.getByText("My secret words").first().waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByText("You are signed out.").waitFor();
  const kept = async (path: string): Promise<unknown> =>
    page.evaluate(
      `fetch("${path}", { cache: "only-if-cached", mode: "same-origin" }).then((answer) => answer.status, () => "nothing")`,
    );
  const asked = z
    .array(z.url())
    .parse(await page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)"))
    .map((url) => new URL(url));
  const ofHost = asked.filter(({ pathname }) => pathname.startsWith("/conversations"));
  const script = asked.find(({ pathname }) => pathname.endsWith(".js"));

  expect(ofHost.length).toBeGreaterThan(2);
  for (const { pathname, search } of ofHost)
    expect([pathname, await kept(pathname + search)]).toEqual([pathname, "nothing"]);
  expect(await kept(script?.pathname ?? "")).toBe(200);
});

test("[attack:browser-cookie-other-port] a local program on another port cannot sign in with the browser's cookie", async (hosts) => {
  const { world, page } = await hosts.open({ browser: "complete" });
  const seen = Promise.withResolvers<string>();
  await using other = {
    server: Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: ({ headers }) => {
        seen.resolve(headers.get("cookie") ?? "");
        return new Response("A page of another program");
      },
    }),
    [Symbol.asyncDispose]: () => other.server.stop(true),
  };
  const key = await keyOf(page);
  const tab = await world.newTab();
  await tab.goto(`http://127.0.0.1:${other.server.port}/`);
  const cookie = await seen.promise;
  const asPage = { cookie, origin: world.host.url, "sec-fetch-site": "same-origin" };
  const ask = async (method: string, path: string, headers: Readonly<Record<string, string>>): Promise<number> =>
    (await fetch(`${world.host.url}${path}`, { method, headers })).status;

  expect(cookie).toContain("incipit_browser_"); // The control: cookies ignore ports.
  expect(await ask("GET", "/conversations", asPage)).toBe(401);
  expect(await ask("POST", "/session/links", asPage)).toBe(401);
  expect(await ask("GET", "/conversations", { ...asPage, [pageKeyHeader]: "x".repeat(43) })).toBe(401);
  expect(await ask("GET", "/conversations", { ...asPage, [pageKeyHeader]: key })).toBe(200);
});

test("[page-sign-in] a browser is in the list of tokens and can be signed out there", async (hosts) => {
  const world = await hosts.start({ browser: "complete" });
  await world.signIn();
  const [cookie] = await world.context.cookies();
  const other = await world.newTab();
  await other.goto(`${world.host.url}/#host`);
  const browsers = other.getByRole("region", { name: "Tokens", exact: true });
  const entry = browsers.getByRole("article", { name: "Chrome on Linux" });
  await entry.getByText("everything, like this page").waitFor();
  // A browser's sign-in is not a token, and a token is not a sign-in.
  const bearer = { authorization: `Bearer ${cookie?.value}` };
  expect((await fetch(`${world.host.url}/conversations`, { headers: bearer })).status).toBe(401);
  const { secret } = await world.client.call(routes.createToken, { body: { scopes: ["read"], days: 1 } });
  const asCookie = { cookie: `${cookie?.name}=${secret}`, [pageKeyHeader]: await keyOf(other) };
  expect((await fetch(`${world.host.url}/conversations`, { headers: asCookie })).status).toBe(401);

  await entry.getByRole("button", { name: "Sign out…" }).click();
  await other.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();

  await other.getByRole("heading", { name: "Sign in to Incipit" }).waitFor();
  expect((await world.client.call(routes.listTokens)).tokens).toMatchObject([
    { kind: "token", state: "active" },
    { kind: "browser", state: "revoked" },
  ]);
});

test("[page-sign-in] a browser that opens another link keeps only the newer sign-in", async (hosts) => {
  const { world, page } = await hosts.open({ browser: "complete" });
  const { url } = await world.client.call(routes.createSignInLink);
  await page.goto("about:blank");
  await page.goto(url);
  await page.getByRole("navigation").waitFor();

  const { tokens } = await world.client.call(routes.listTokens);
  expect(tokens.map(({ kind, state }) => [kind, state])).toEqual([
    ["browser", "active"],
    ["browser", "revoked"],
  ]);
});

test("without the extension the page is absent, and the API is unchanged", async (hosts) => {
  const world = await hosts.start({
    browser: "complete",
    config: '[extensions]\ndisabled = ["web-page"]\n',
  });
  const { url } = world.host;

  expect((await world.host.fetch("/")).status).toBe(404);
  expect((await world.host.fetch("/conversations")).status).toBe(200);
  expect(world.host.page).toBe(url);
});

test("[page-sign-in] a signed-out page can retry, and reports an unanswered link", async (hosts) => {
  const world = await hosts.start({ browser: "complete" });
  const page = await world.newTab();
  await page.goto(world.host.url);
  const again = page.getByRole("button", { name: "Try again" });
  const status = page.getByRole("status");
  await again.click();
  await status.filter({ hasText: "is still not signed in" }).waitFor();
  const gone = `${world.host.url}/session`;
  await page.route(gone, (route) => route.abort());
  await page.goto(world.host.page);
  // The code has left the address and has not reached the host.
  await page.waitForFunction("location.hash === ''");
  await again.click();
  await status.filter({ hasText: "cannot be reached" }).waitFor();
  await page.unroute(gone);
  await again.press("Enter");
  await page.getByRole("textbox", { name: "Message" }).waitFor();

  expect(page.url()).toBe(`${world.host.url}/`);
});
