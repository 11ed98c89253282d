import { saidMessage } from "@incipit/testkit";
import { routes } from "@incipit/transport-contract";
import { expect } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { test } from "./page-test.ts";
import type { PageWorld } from "./page-world.ts";

function list(page: Page): Locator {
  return page.getByRole("complementary");
}

function entry(page: Page, title: string): Locator {
  return list(page).getByRole("link", { name: title });
}

async function send(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Continue from here" }).last().waitFor();
}

async function titlesOnHost(world: PageWorld): Promise<readonly (string | null)[]> {
  const { conversations } = await world.client.call(routes.listConversations);
  return conversations.map(({ title }) => title);
}

test("[page-list] unread conversations are marked in every tab until viewed", async (hosts) => {
  const { world, page } = await hosts.open();
  await send(page, "One");
  const id = /[0-9a-f-]{36}$/.exec(page.url())?.[0] ?? "";
  await page.getByRole("link", { name: "New conversation" }).click();
  const second = await world.newTab();
  await second.goto(`${world.host.url}/#/conversations`);
  await entry(second, "One").waitFor();
  const before = await list(second).getByRole("link").getByText("unread").count();
  for await (const _ of world.client.sendTurn(id, { input: "From elsewhere" }));
  for (const tab of [page, second]) {
    await tab.reload();
    await entry(tab, "One").getByText("unread").waitFor();
  }
  await list(second).getByRole("combobox", { name: "Filter" }).selectOption("Unread");
  await list(second).getByText("1 conversation", { exact: true }).waitFor();
  await entry(page, "One").click();
  await page.getByText("From elsewhere").waitFor();
  await entry(page, "One").getByText("unread").waitFor({ state: "detached" });
  await list(second).getByText("No matching conversations.").waitFor();
  await list(second).getByRole("button", { name: "Show all" }).click();
  await entry(second, "One").waitFor();

  expect(before).toBe(0);
  expect(await list(second).getByRole("link").getByText("unread").count()).toBe(0);
});

test("[page-list] filters by status and model show matches, with counts while loading more", async (hosts) => {
  const world = await hosts.start({ config: "[tools]\nworkspace = true\n" });
  for (let count = 0; count < 60; count += 1)
    await world.client.call(routes.createConversation, { body: { title: `Idle ${count}` } });
  const page = await world.signIn();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url().replace(/^.*\?/, "")));
  await list(page).getByText("The newest 50; older ones follow.").waitFor();
  await list(page).getByRole("button", { name: "Show older" }).click();
  await list(page).getByText("60 conversations").waitFor();
  const input = JSON.stringify({ path: "new.txt", content: "hello" });
  world.model.enqueue({ kind: "tool-calls", calls: [{ id: "call-1", name: "write_file", arguments: input }] });
  await page.getByRole("textbox", { name: "Message" }).fill("Write it");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Allow" }).waitFor();
  await world.client.call(routes.createConversation, { body: { title: "Elsewhere", model: "offline/echo" } });
  await page.reload();
  const status = list(page).getByRole("combobox", { name: "Filter" });
  await status.selectOption("Need an answer");
  await list(page).getByText("1 conversation", { exact: true }).waitFor();
  const asking = await list(page).getByRole("listitem").allTextContents();
  await status.selectOption("All");
  await list(page).getByRole("combobox", { name: "Model" }).selectOption("offline/echo");
  // The conversation that needs an answer stays until this response arrives.
  await list(page).getByText("Elsewhere", { exact: true }).waitFor();
  await list(page).getByText("1 conversation", { exact: true }).waitFor();
  const elsewhere = await list(page).getByRole("listitem").allTextContents();
  await status.selectOption("Running");
  await list(page).getByText("No matching conversations.").waitFor();

  expect(asking.join()).toContain("Write it");
  expect(elsewhere.join()).toContain("Elsewhere");
  // The host filters, so that non-matching conversations are not read.
  for (const query of ["status=asking", "model=offline%2Fecho", "status=busy&model=offline%2Fecho"])
    expect(asked).toContain(`archived=false&${query}&limit=50`);
});

test("[page-list] undo restores a deleted conversation across reloads and tabs", async (hosts) => {
  const world = await hosts.start();
  await world.importConversation("Keep me", [saidMessage("user", "Hello")]);
  const page = await world.signIn();
  await entry(page, "Keep me").click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("“Keep me” is deleted.").waitFor();
  await entry(page, "Keep me").waitFor({ state: "detached" });
  await page.reload();
  await page.getByText("“Keep me” is deleted.").waitFor();
  const second = await world.newTab();
  await second.goto(`${world.host.url}/#/conversations`);
  await list(second).getByText("No conversations yet").waitFor();
  await second.getByText("“Keep me” is deleted.").waitFor();
  await page.close();
  await second.locator(".notice [aria-hidden]").getByText("erased in").waitFor();
  await second.getByRole("button", { name: "Undo" }).click();
  await entry(second, "Keep me").waitFor();
  await second.getByText("“Keep me” is deleted.").waitFor({ state: "detached" });

  expect(await titlesOnHost(world)).toEqual(["Keep me"]);
});

test("[page-list] a deleted conversation accepts messages only after undo", async (hosts) => {
  const world = await hosts.start();
  await world.importConversation("Gone", [saidMessage("user", "Hello")]);
  const page = await world.signIn();
  await entry(page, "Gone").click();
  await page.getByRole("textbox", { name: "Message" }).fill("typed before");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("“Gone” is deleted.").waitFor();
  await page.goBack();
  const closed = page.getByText("This conversation is deleted and accepts no messages.");
  await closed.waitFor();
  const fields = await page.getByRole("textbox", { name: "Message" }).count();
  const id = /[0-9a-f-]{36}$/.exec(page.url())?.[0] ?? "";
  const elsewhere = await Array.fromAsync(world.client.sendTurn(id, { input: "from elsewhere" })).catch(
    (error: unknown) => error,
  );
  await page.getByRole("main").getByRole("button", { name: "Undo" }).click();
  await closed.waitFor({ state: "detached" });
  const draft = await page.getByRole("textbox", { name: "Message" }).inputValue();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Continue from here" }).last().waitFor();

  expect(fields).toBe(0);
  expect(elsewhere).toMatchObject({
    code: "CONVERSATION_UNKNOWN",
    message: expect.stringContaining("is deleted and will be erased soon"),
  });
  expect(draft).toBe("typed before");
  expect(world.model.requests).toHaveLength(1);
});

test("[page-list] the undo period pauses under the pointer, and erasing is retried while offline", async (hosts) => {
  const world = await hosts.start();
  await world.importConversation("Erase me", [saidMessage("user", "Hello")]);
  const page = await world.newTab();
  await page.clock.install();
  await page.goto(world.host.page);
  await entry(page, "Erase me").click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const notice = page.getByText("“Erase me” is deleted.");
  await notice.waitFor();
  await page.getByRole("button", { name: "Undo" }).focus();
  await page.clock.runFor(60_000);
  const underHand = await titlesOnHost(world);
  await page.getByRole("textbox", { name: "Message" }).focus();
  await world.kill("SIGKILL");
  await page.clock.runFor(25_000);
  const retry = page
    .getByRole("region", { name: "Deleted conversations" })
    .getByRole("button", { name: "Try again" });
  await retry.waitFor();
  await world.startAgain();
  const away = await titlesOnHost(world);
  await retry.click();
  await notice.waitFor({ state: "detached" });

  expect(underHand).toEqual(["Erase me"]);
  expect(away).toEqual(["Erase me"]);
  expect(await titlesOnHost(world)).toEqual([]);
});

test("[page-list] filters appear only when useful, and an empty result links to archived conversations", async (hosts) => {
  const { world, page } = await hosts.open();
  const filter = list(page).getByRole("combobox", { name: "Filter" });
  await list(page).getByText("No conversations yet").waitFor();
  const before = [await filter.count(), await list(page).getByRole("list").count()];
  await send(page, "Old news");
  await filter.waitFor();
  const id = /[0-9a-f-]{36}$/.exec(page.url())?.[0] ?? "";
  const { conversation } = await world.client.call(routes.updateConversation, {
    params: { id },
    body: { archived: true },
  });
  await page.reload();
  await list(page).getByText("No conversations yet").waitFor();
  await filter.waitFor();
  await list(page).getByRole("searchbox", { name: "Search conversations" }).fill("news");
  await list(page).getByRole("button", { name: "Include archived" }).press("Enter");
  await entry(page, "Old news").waitFor();
  const time = entry(page, "Old news").getByRole("time");

  expect(before).toEqual([0, 0]);
  expect(await time.getAttribute("datetime")).toBe(conversation.updatedAt);
  expect(await time.getAttribute("title")).toContain(String(new Date(conversation.updatedAt).getFullYear()));
  expect(await time.textContent()).toMatch(/^(?:just now|\d+ minutes? ago)$/);
  expect(await list(page).getByRole("checkbox", { name: "Show archived" }).isChecked()).toBe(true);
});
