import { saidMessage } from "@incipit/testkit";
import { expect } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { test } from "./page-test.ts";

function choice(page: Page): Locator {
  return page.getByRole("dialog", { name: "Commands and conversations" });
}

async function open(page: Page): Promise<void> {
  await page.keyboard.press("Control+k");
  await choice(page).getByRole("combobox").waitFor();
}

async function chosen(page: Page): Promise<string> {
  const id = await choice(page).getByRole("combobox").getAttribute("aria-activedescendant");
  return (await page.locator(`[id="${id}"]`).textContent()) ?? "";
}

async function focusedLabel(page: Page): Promise<string> {
  return String(await page.evaluate('document.activeElement.getAttribute("aria-label")'));
}

test("[page-commands] every view has a button for the palette that names its key", async (hosts) => {
  const { page } = await hosts.open();
  const button = page.getByRole("button", { name: "Commands", exact: true });
  const says = await button.textContent();
  for (const room of ["Conversations", "System prompt", "Calls", "Costs", "Host"]) {
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: room, exact: true }).click();
    await button.click();
    await choice(page).getByRole("combobox").waitFor();
    await page.keyboard.press("Escape");
    await choice(page).waitFor({ state: "detached" });
  }
  const hasFocus = await button.evaluate((element) => element.matches(":focus"));

  expect(says).toBe("Commands Ctrl K");
  expect(hasFocus).toBe(true);
});

test("[page-commands] a few letters and Enter reach each view, conversation and action", async (hosts) => {
  const world = await hosts.start();
  await world.importConversation("About apples", [saidMessage("user", "Hello"), saidMessage("assistant", "Hi")]);
  const page = await world.signIn();
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  await open(page);
  await page.keyboard.type("apples");
  await choice(page).getByRole("option", { name: "About apples" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "About apples" }).waitFor();
  await open(page);
  await page.keyboard.type("rename");
  await choice(page).getByRole("option", { name: "Rename" }).waitFor();
  await page.keyboard.press("Enter");
  const title = page.getByRole("textbox", { name: "Title" });
  await title.fill("About pears");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "About pears" }).waitFor();
  for (const [room, heading] of [
    ["go to system", "System prompt"],
    ["go to host", "Host"],
    ["go to costs", "Costs"],
    ["go to calls", "Calls"],
  ] as const) {
    await open(page);
    await page.keyboard.type(room);
    await choice(page).getByRole("option").first().waitFor();
    await page.keyboard.press("Enter");
    await choice(page).waitFor({ state: "detached" });
    await page.getByRole("navigation").locator('[aria-current="page"]', { hasText: heading }).waitFor();
  }
  await open(page);
  await page.keyboard.press("Escape");
  await choice(page).waitFor({ state: "detached" });
});

test("[page-commands] the palette is a combobox with arrow keys that restores the focus", async (hosts) => {
  const { page } = await hosts.open();
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill("half a message");
  await open(page);
  const first = await chosen(page);
  await page.keyboard.press("ArrowDown");
  const second = await chosen(page);
  await page.keyboard.press("ArrowUp");
  const back = await chosen(page);
  const marked = await choice(page).getByRole("option", { selected: true }).count();
  await page.keyboard.type("there is nothing of this name");
  await choice(page).getByText("No matches.").waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await choice(page).waitFor({ state: "detached" });
  await page.keyboard.type(", and the rest");

  expect(second).not.toBe(first);
  expect(back).toBe(first);
  expect(marked).toBe(1);
  expect(await field.inputValue()).toBe("half a message, and the rest");
});

test("[page-commands] closing the palette returns to the text field, also on a slow machine", async (hosts) => {
  const { world, page } = await hosts.open();
  const session = await world.context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill("half message");
  for (let count = 0; count < "message".length; count += 1) await page.keyboard.press("ArrowLeft");
  await open(page);
  await page.keyboard.type("nothing of this name");
  await choice(page).getByText("No matches.").waitFor();
  await page.keyboard.press("Escape");
  await choice(page).waitFor({ state: "detached" });
  await page.keyboard.type("a ");

  expect(await field.inputValue()).toBe("half a message");
});

test("[page-commands] single-key shortcuts are inactive while typing, listed, and can be disabled permanently", async (hosts) => {
  const world = await hosts.start();
  const messages = Array.from({ length: 40 }, (_, index) =>
    saidMessage(index % 2 === 0 ? "user" : "assistant", `Said ${index}`),
  );
  await world.importConversation("Long", messages);
  const page = await world.signIn();
  await page.getByRole("link", { name: "Long" }).click();
  await page.getByText("Said 39").waitFor();
  const field = page.getByRole("textbox", { name: "Message" });
  await field.focus();
  await page.keyboard.type("n?jk/me");
  const typed = await field.inputValue();
  await page.getByRole("heading", { level: 1 }).click();
  await page.getByRole("region", { name: "Messages" }).focus();
  await page.keyboard.press("k");
  await page.keyboard.press("k");
  const focused = await page.evaluate("document.activeElement.tagName");
  await page.keyboard.press("m");
  const afterM = await focusedLabel(page);
  await page.getByRole("region", { name: "Messages" }).focus();
  await page.keyboard.press("/");
  await page.keyboard.type("typed in the search");
  const searched = await page.getByRole("searchbox").inputValue();
  await page.getByRole("region", { name: "Messages" }).focus();
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await keys.waitFor();
  const rows = await keys.getByRole("row").allTextContents();
  await keys.getByRole("checkbox").focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Escape");
  await keys.waitFor({ state: "detached" });
  await page.reload();
  await page.getByText("Said 39").waitFor();
  await page.getByRole("region", { name: "Messages" }).focus();
  for (const key of ["?", "n", "m"]) await page.keyboard.press(key);
  const afterAll = await focusedLabel(page);
  await open(page);

  expect(typed).toBe("n?jk/me");
  expect(focused).toBe("ARTICLE");
  expect(afterM).toBe("Message");
  expect(searched).toBe("typed in the search");
  for (const name of ["New conversation", "Search conversations", "Next message", "Commands and conversations"])
    expect(rows.join("\n")).toContain(name);
  expect(afterAll).toBe("Messages");
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Long");
});
