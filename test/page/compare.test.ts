import type { ConversationId } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { expect } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { test } from "./page-test.ts";
import type { PageWorld } from "./page-world.ts";

async function say(world: PageWorld, id: ConversationId, input: string): Promise<void> {
  for await (const { type } of world.client.sendTurn(id, { input })) if (type === "turn-end") return;
}

async function differing(page: Page): Promise<readonly (readonly string[])[]> {
  const table = page.getByRole("region", { name: "Table of differing lines" });
  return Promise.all(["removed", "added"].map((kind) => table.locator(`[data-kind="${kind}"]`).allTextContents()));
}

test("[page-compare] two template versions are compared side by side with a stable address", async (hosts) => {
  const world = await hosts.start();
  for (const template of ["One\nsame\n<b>old</b>", "Two\nsame\n<b>old</b>", "Three\nsame\n<b>new</b>\nmore"])
    await world.client.call(routes.setSystemPrompt, { body: { template } });
  const page = await world.signIn();
  await page.goto(`${world.host.url}/#/prompt`);
  await page.getByRole("link", { name: "Version 1 side by side with another text" }).click();
  await page.getByText("2 lines are only on the left, 3 only on the right.").waitFor();
  const [first] = [await differing(page)];
  await page.getByLabel("Text on the right").selectOption({ label: await labelOf(page, "Version 2") });
  await page.getByText("1 line is only on the left, 1 only on the right.").waitFor();
  const second = await differing(page);
  await page.reload();
  await page.getByText("1 line is only on the left, 1 only on the right.").waitFor();
  await page.getByLabel("Text on the right").selectOption({ label: await labelOf(page, "Version 1") });
  await page.getByText("The two texts are identical.").waitFor();

  expect(first).toEqual([
    ["− One", "− <b>old</b>"],
    ["+ Three", "+ <b>new</b>", "+ more"],
  ]);
  expect(second).toEqual([["− One"], ["+ Two"]]);
  expect(page.url()).toContain("#/compare/version:1/version:1");
});

/** The list may load after the texts. */
async function labelOf(page: Page, beginning: string): Promise<string> {
  const options = page.getByLabel("Text on the right").locator("option");
  const option = options.filter({ hasText: new RegExp(`^${beginning}`) });
  await option.waitFor({ state: "attached" });
  return (await option.textContent()) ?? "";
}

test("[page-compare] prompts of two conversations or epochs are compared side by side", async (hosts) => {
  const world = await hosts.start();
  const agents = join(world.folder, "AGENTS.md");
  await Bun.write(agents, "Be brief.");
  const { conversation: one } = await world.client.call(routes.createConversation, { body: {} });
  await say(world, one.id, "First");
  await Bun.write(agents, "Be long.");
  const { conversation: other } = await world.client.call(routes.createConversation, { body: {} });
  await say(world, other.id, "Second");
  await world.client.call(routes.rebuildPrompt, { params: { id: one.id }, body: {} });
  await Bun.write(agents, "Be kind.");
  await world.client.call(routes.rebuildPrompt, { params: { id: other.id }, body: {} });
  const page = await world.signIn();
  await page.goto(`${world.host.url}/#/conversations/${one.id}/told`);
  await page.getByRole("link", { name: "Its prompts side by side" }).click();
  await page.getByLabel("Text on the right").selectOption({ label: "Second" });
  await page.getByText("1 line is only on the left, 1 only on the right.").waitFor();
  const newest = await differing(page);
  const rightPrompt = page.getByLabel("Prompt on the right");
  await rightPrompt.locator("option").nth(1).waitFor({ state: "attached" });
  const prompts = await rightPrompt.locator("option").allTextContents();
  await rightPrompt.selectOption({ index: 0 });
  await page.getByText("The two texts are identical.").waitFor();
  await page.getByLabel("Text on the right").selectOption({ label: "First" });
  await page.getByLabel("Prompt on the left").selectOption({ index: 0 });
  await page.getByText("1 line is only on the left, 1 only on the right.").waitFor();
  const epochs = await differing(page);

  expect(newest).toEqual([["− Be long."], ["+ Be kind."]]);
  expect(prompts).toEqual([
    expect.stringContaining("Prompt 1 · first turn"),
    expect.stringContaining("Prompt 2 · rebuilt"),
  ]);
  expect(epochs).toEqual([["− Be brief."], ["+ Be long."]]);
});
