import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { incipit } from "../host-process.ts";
import { PageWorld } from "./page-world.ts";

test("[page-sign-in] the link that serve prints signs one browser in, once, and leaves no code in its address", async () => {
  await using world = await PageWorld.start();
  const page = await world.signIn();
  const cookies = await world.context.cookies();
  const other = await (await world.context.browser()?.newContext())?.newPage();
  await other?.goto(world.host.page);
  await other?.getByRole("heading", { name: "Sign in to Incipit" }).waitFor();

  expect(page.url()).toBe(`${world.host.url}/`);
  expect(cookies).toMatchObject([{ httpOnly: true, sameSite: "Strict", path: "/" }]);
  expect(await other?.getByRole("alert").textContent()).toContain("was used before");
  expect(await other?.locator("pre").first().textContent()).toBe("incipit page");
  expect(world.complaints).toEqual([]);
  await other?.context().close();
}, 60_000);

test("[page-sign-in] a browser stays signed in over a restart of the host, until it signs out", async () => {
  await using world = await PageWorld.start();
  const page = await world.signIn();
  await world.kill("SIGTERM");
  await world.startAgain();
  await page.reload();
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in to Incipit" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Sign in to Incipit" }).waitFor();

  expect(await world.context.cookies()).toEqual([]);
}, 60_000);

test("[page-sign-in] incipit page prints a link for the host that runs, and says when none does", async () => {
  await using world = await PageWorld.start();
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
}, 60_000);

test("[page-sign-in] the cookie is the token of the host's own page alone", async () => {
  await using world = await PageWorld.start();
  await world.signIn();
  const [cookie] = await world.context.cookies();
  const { url } = world.host;
  const ask = async (path: string, method: string, headers: Readonly<Record<string, string>>): Promise<number> =>
    (await fetch(`${url}${path}`, { method, headers: { cookie: `${cookie?.name}=${cookie?.value}`, ...headers } }))
      .status;
  const port = Number(new URL(url).port);

  // What the page itself sends.
  expect(await ask("/conversations", "GET", { "sec-fetch-site": "same-origin" })).toBe(200);
  expect(await ask("/session", "DELETE", { origin: url })).toBe(200);
  // Another program of this machine, in the same browser: the browser sends the cookie along.
  expect(await ask("/conversations", "GET", { "sec-fetch-site": "same-site" })).toBe(401);
  expect(await ask("/conversations", "GET", { origin: `http://127.0.0.1:${port + 1}` })).toBe(403);
  expect(await ask("/session", "DELETE", { origin: `http://127.0.0.1:${port + 1}` })).toBe(403);
  expect(await ask("/session", "DELETE", {})).toBe(401);
  // Another host's, one that was changed, and none.
  expect(await ask("/conversations", "GET", { cookie: `incipit-${port + 1}=${cookie?.value}` })).toBe(401);
  expect(await ask("/conversations", "GET", { cookie: `${cookie?.name}=9${cookie?.value}` })).toBe(401);
  expect(await ask("/conversations", "GET", { cookie: "" })).toBe(401);
}, 60_000);

test("[page-policy] the page asks for nothing from elsewhere, and runs nothing that is not the host's file", async () => {
  await using world = await PageWorld.start();
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
  expect(world.complaints).toEqual([]);
}, 60_000);

test("without its extension there is no page, and the API is as it was", async () => {
  await using world = await PageWorld.start({ config: '[extensions]\ndisabled = ["web-page"]\n' });
  const { url } = world.host;

  expect((await world.host.fetch("/")).status).toBe(404);
  expect((await world.host.fetch("/conversations")).status).toBe(200);
  expect(world.host.page).toBe(url);
}, 60_000);
