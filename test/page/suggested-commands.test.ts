import { openTrustStore } from "@incipit/host/trust";
import type { Message } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { expect } from "bun:test";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { axeProblems } from "./axe-problems.ts";
import { test } from "./page-test.ts";
import type { PageWorld } from "./page-world.ts";

const review = "---\ndescription: Reviews a change\nargument-hint: branch\n---\nReview $1.";

async function writeCommand(world: PageWorld, path: string, text: string): Promise<void> {
  const file = join(world.folder, path);
  await mkdir(dirname(file), { recursive: true });
  await Bun.write(file, text);
}

function field(page: Page): Locator {
  return page.getByRole("textbox", { name: "Message" });
}

async function said(world: PageWorld): Promise<readonly Message[]> {
  const { conversations } = await world.client.call(routes.listConversations);
  const [{ id } = { id: "" }] = conversations;
  const { messages } = await world.client.call(routes.listMessages, { params: { id } });
  return messages.filter(({ role }) => role === "user");
}

test("[page-conversation] a slash suggests the folder's commands, and one is sent by name", async (hosts) => {
  const world = await hosts.start();
  await writeCommand(world, "commands/review.md", review);
  await writeCommand(world, "commands/release.md", "Release it.");
  await writeCommand(world, "commands/think.md", "Think.");
  const page = await world.signIn();
  const list = page.getByRole("listbox", { name: "Commands of this folder" });
  const options = list.getByRole("option");
  await field(page).fill("/");
  await options.nth(2).waitFor();
  const problems = await axeProblems(page);
  await field(page).fill("/RE");
  await options.nth(2).waitFor({ state: "detached" });
  const named = await options.allTextContents();
  await page.keyboard.press("ArrowDown");
  await list.getByRole("option", { selected: true }).filter({ hasText: "/review" }).waitFor();
  const active = await field(page).getAttribute("aria-activedescendant");
  const chosen = await list.getByRole("option", { selected: true }).getAttribute("id");
  await page.keyboard.press("Enter");
  await list.waitFor({ state: "detached" });
  const taken = await field(page).inputValue();
  await page.keyboard.type("main");
  await page.getByText("Sends the command review").waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("article", { name: "You · /review" }).getByText("Review main.").waitFor();
  await page.getByRole("button", { name: "Continue from here" }).waitFor();

  expect(problems).toEqual([]);
  expect(named).toEqual(["/release", "/review branchReviews a change"]);
  expect(active).toBe(chosen);
  expect(taken).toBe("/review ");
  expect(await said(world)).toMatchObject([
    { parts: [{ type: "text", text: "Review main." }], command: { name: "review", arguments: "main" } },
  ]);
});

test("[page-conversation] unknown commands stay in the field; paths and leading spaces are text", async (hosts) => {
  const world = await hosts.start();
  await writeCommand(world, "commands/review.md", review);
  await writeCommand(world, ".agents/commands/deploy.md", "Deploy the secret thing.");
  const page = await world.signIn();
  const refused = page.getByRole("alert");
  await field(page).fill("/reveiw main");
  await page.keyboard.press("Enter");
  await refused.getByText('did you mean "review"?').waitFor();
  const kept = await field(page).inputValue();
  await field(page).fill("/deploy");
  await page.keyboard.press("Enter");
  await refused.getByText("incipit trust add").waitFor();
  const untrusted = await refused.textContent();
  const askedBefore = world.model.requests.length;
  await page
    .getByLabel("Attach files", { exact: true })
    .first()
    .setInputFiles({
      name: "notes.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("Notes"),
    });
  await page.getByRole("button", { name: "Remove notes.txt" }).waitFor();
  await field(page).press("Enter");
  await refused.getByText("accepts no files").waitFor();
  await page.getByRole("button", { name: "Remove notes.txt" }).click();
  await field(page).fill(" /deploy");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Continue from here" }).waitFor();
  await field(page).fill("/etc/hosts says what?");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Continue from here" }).nth(1).waitFor();
  const bytes = await Bun.file(join(world.folder, ".agents/commands/deploy.md")).bytes();
  const files = { ".agents/commands/deploy.md": new Bun.CryptoHasher("sha256").update(bytes).digest("hex") };
  openTrustStore(join(world.folder, "data"), () => undefined).trustAlso(world.folder, files);
  await field(page).fill("/deploy");
  await page.keyboard.press("Enter");
  await page.getByRole("article", { name: "You · /deploy" }).waitFor();
  await page.getByRole("button", { name: "Continue from here" }).nth(2).waitFor();

  expect(kept).toBe("/reveiw main");
  expect(untrusted).not.toContain("secret");
  expect(askedBefore).toBe(0);
  expect((await said(world)).map(({ parts }) => parts)).toMatchObject([
    [{ text: " /deploy" }],
    [{ text: "/etc/hosts says what?" }],
    [{ text: "Deploy the secret thing." }],
  ]);
});
