import { routes } from "@incipit/transport-contract";
import { expect } from "bun:test";
import { test } from "./page-test.ts";

test("[page-host] a token is created with scopes and lifetime, shown once, and revoked after confirmation", async (hosts) => {
  const world = await hosts.start();
  await world.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await world.signIn();
  await page.goto(`${world.host.url}/#/host`);
  const section = page.getByRole("region", { name: "Tokens", exact: true });
  await section.getByText("No tokens yet.").waitFor();
  await section.getByLabel("Name").fill("dashboard");
  await section.getByLabel("Days until it expires").fill("7");
  await section.getByRole("checkbox", { name: /^records/ }).check();
  await section.getByRole("button", { name: "Create the token" }).click();
  const shown = section.getByRole("region", { name: "“dashboard” was created" });
  await shown.waitFor();
  const secret = (await shown.getByRole("group", { name: "The token" }).textContent()) ?? "";
  await shown.getByRole("button", { name: "Copy" }).click();
  await shown.getByRole("button", { name: "Copied" }).waitFor();
  const copied = await page.evaluate("navigator.clipboard.readText()");
  const status = async (path: string): Promise<number> =>
    (await world.host.fetch(path, { headers: { authorization: `Bearer ${secret}` } })).status;
  const line = (await shown.locator("code").textContent()) ?? "";
  const asked = line.slice(line.indexOf(world.host.url) + world.host.url.length);
  const before = [await status("/models"), await status("/calls"), await status("/tokens")];
  const answered = await status(asked);
  const [token] = (await world.client.call(routes.listTokens)).tokens;
  await shown.getByRole("button", { name: "Done" }).click();
  await shown.waitFor({ state: "detached" });
  await page.reload();
  const entry = section.getByRole("article", { name: "dashboard" });
  await entry.getByText("read, records").waitFor();
  await entry.getByRole("button", { name: "Revoke…" }).click();
  const question = page.getByRole("dialog");
  await question.getByRole("button", { name: "Cancel" }).click();
  const kept = await status("/models");
  await entry.getByRole("button", { name: "Revoke…" }).click();
  await question.getByRole("button", { name: "Revoke" }).click();
  await section.getByText("“dashboard” was revoked.").waitFor();
  await section.getByText("1 expired or revoked").click();
  await entry.getByText("Revoked").waitFor();

  expect(secret).toMatch(/^incipit_[\w-]{43}$/);
  expect(copied).toBe(secret);
  expect(line).toBe(`curl --header "Authorization: Bearer $TOKEN" ${world.host.url}${asked}`);
  expect(answered).toBe(200);
  expect(before).toEqual([200, 200, 403]);
  expect(token).toMatchObject({ name: "dashboard", scopes: ["read", "records"] });
  expect(Date.parse(token?.endsAt ?? "") - Date.parse(token?.createdAt ?? "")).toBe(7 * 86_400_000);
  expect([kept, await status("/models")]).toEqual([200, 401]);
  expect(await page.content()).not.toContain(secret);
});

test("[page-host] a token without scopes is not created, and errors appear in place", async (hosts) => {
  const { world, page } = await hosts.open();
  await page.goto(`${world.host.url}/#/host`);
  const section = page.getByRole("region", { name: "Tokens", exact: true });
  const make = section.getByRole("button", { name: "Create the token" });
  await section.getByRole("checkbox", { name: /^read/ }).uncheck();
  await section.getByText("Choose at least one").waitFor();
  const isDisabled = await make.isDisabled();
  await section.getByRole("checkbox", { name: /^converse/ }).check();
  await world.kill("SIGTERM");
  await make.click();
  await section.getByText("The host cannot be reached").waitFor();
  await world.startAgain();
  await make.click();
  await section.getByRole("region", { name: /was created/ }).waitFor();

  expect(isDisabled).toBe(true);
  const { tokens } = await world.client.call(routes.listTokens);
  expect(tokens).toMatchObject([{ name: null, scopes: ["converse"] }, { kind: "browser" }]);
});
