import { openTrustStore } from "@incipit/host/trust";
import { routes } from "@incipit/transport-contract";
import { expect } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { test } from "./page-test.ts";
import type { PageWorld } from "./page-world.ts";

async function write(page: Page, name: string, text: string): Promise<void> {
  await page.getByRole("textbox", { name: `Text of ${name}` }).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

const poet = "---\nname: poet\ncolor: blue # kept\n---\n\nYou rhyme.\n";

test("[page-setup] an agent can be created, edited and deleted by keyboard", async (hosts) => {
  const world = await hosts.start();
  const { conversation } = await world.client.call(routes.createConversation, { body: {} });
  const work = conversation.cwd;
  openTrustStore(join(world.folder, "data"), () => undefined).trust(work, {});
  const file = join(work, ".agents/poet.md");
  const page = await world.signIn();
  await page.goto(`${world.host.url}/#/host`);
  await page.getByRole("link", { name: "New agent" }).focus();
  await page.keyboard.press("Enter");
  await write(page, "the new agent", poet);
  await page.getByRole("textbox", { name: "Name" }).fill("poet");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Agent poet" }).waitFor();
  await page.getByText(`Same as in ${file}`).waitFor();
  const made = await Bun.file(file).text();
  await page.getByRole("group", { name: "Prompt of a new conversation" }).getByText("You rhyme.").waitFor();

  await write(page, "poet", poet.replace("rhyme", "sing on [system:os]"));
  await page.getByText("Not saved yet.").waitFor();
  await page.reload();
  await page.getByText("Not saved yet.").waitFor();
  await page.getByRole("textbox", { name: "Text of poet" }).focus();
  await page.keyboard.press("Control+s");
  await page.getByText(`Saved in ${file}`).waitFor();
  await page.getByText(`You sing on ${process.platform}.`).waitFor();
  const changed = await Bun.file(file).text();
  await page.getByRole("button", { name: "Delete" }).focus();
  await page.keyboard.press("Enter");
  const question = page.getByRole("dialog", { name: "Delete poet?" });
  await question.getByText(file).waitFor();
  await question.getByRole("button", { name: "Delete" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Profiles", exact: true }).waitFor();
  await page.getByText("No profiles.").waitFor();

  expect(made).toBe(poet);
  expect(changed).toBe(poet.replace("rhyme", "sing on [system:os]"));
  expect(await readdir(join(work, ".agents"))).toEqual([]);
});

test("[page-setup] a conflicting external edit of an agent shows both texts and keeps the typed one", async (hosts) => {
  const world = await hosts.start();
  const { path: made } = await newAgentOfUser(world, poet);
  const page = await world.signIn();
  await page.goto(`${world.host.url}/#/agent/poet`);
  await page.getByText(`Same as in ${made}`).waitFor();
  const theirs = poet.replace("rhyme", "shout");
  await Bun.write(made, theirs);
  const mine = poet.replace("rhyme", "whisper");
  await write(page, "poet", mine);
  await page.keyboard.press("Control+s");
  const conflict = page.getByRole("region", { name: "This agent was changed elsewhere" });
  await conflict.getByText("You shout.").waitFor();
  const untouched = await Bun.file(made).text();
  await conflict.getByRole("button", { name: "Continue editing" }).click();
  await page.getByText("Not saved yet.").waitFor();
  await page.keyboard.press("Control+s");
  await conflict.getByRole("button", { name: "Use the stored version" }).click();
  await page.getByText(`Same as in ${made}`).waitFor();
  await page.keyboard.press("Control+z");
  await page.getByText("Not saved yet.").waitFor();
  await page.keyboard.press("Control+s");
  await page.getByText(`Saved in ${made}`).waitFor();
  const stored = await Bun.file(made).text();
  await Bun.write(made, theirs);
  await write(page, "poet", poet.replace("rhyme", "hum"));
  await page.keyboard.press("Control+s");
  await conflict.getByRole("button", { name: "Overwrite with mine" }).click();
  await page.getByText(`Saved in ${made}`).waitFor();

  expect(untouched).toBe(theirs);
  expect(stored).toBe(mine);
  expect(await Bun.file(made).text()).toBe(poet.replace("rhyme", "hum"));
});

test("[page-setup] the list shows sources and problems of agents, and failed saves explain why", async (hosts) => {
  const world = await hosts.start({ config: '[profiles.set]\nsystem_prompt = "Set."\n' });
  const { path } = await newAgentOfUser(world, "---\nname: poet\ntools: WebSearch\n---\n\nYou rhyme.\n");
  await Bun.write(path.replace("poet.md", "broken.md"), "no agent");
  const page = await world.signIn();
  await page.goto(`${world.host.url}/#/host`);
  const entry = page.getByRole("article", { name: "poet" });
  await entry.getByText(`yours, at ${path}`).waitFor();
  await entry.getByText('names "WebSearch"').waitFor();
  await page.getByText("It has no front matter").waitFor();
  const configured = await page.getByRole("article", { name: "set" }).getByRole("link", { name: "Open" }).count();
  await entry.getByRole("link", { name: "Open poet" }).click();
  await write(page, "poet", "---\nname: pirate\n---\n");
  await page.keyboard.press("Control+s");
  await page.getByRole("alert").getByText('instead of "poet"').waitFor();
  await page.getByRole("button", { name: "Discard changes" }).click();
  await page.getByText("Same as in").waitFor();
  await page.goto(`${world.host.url}/#/agent`);
  await page.getByRole("textbox", { name: "Name" }).fill("x");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("alert").getByText("incipit trust add").waitFor();

  expect(configured).toBe(0);
});

async function newAgentOfUser(world: PageWorld, text: string): Promise<{ readonly path: string }> {
  const { profile } = await world.client.call(routes.putProfile, {
    params: { name: "poet" },
    headers: { "if-none-match": "*" },
    body: { text, user: true },
  });
  return { path: profile.source.path ?? "" };
}
