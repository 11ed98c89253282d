import { routes } from "@incipit/transport-contract";
import { sampleOf } from "@incipit/testkit";
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import * as z from "zod";
import { axeProblems } from "./axe-problems.ts";
import { PageWorld, type PageWorldOptions } from "./page-world.ts";

interface Docs extends AsyncDisposable {
  readonly world: PageWorld;
  readonly page: Page;
  readonly elsewhere: readonly string[];
}

async function openDocs(options: PageWorldOptions & { readonly at?: string } = {}): Promise<Docs> {
  const world = await PageWorld.start(options);
  const page = await world.newTab();
  const elsewhere: string[] = [];
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${world.host.url}/`) && !url.startsWith("data:")) elsewhere.push(url);
  });
  await page.goto(`${world.host.url}/docs${options.at ?? ""}`);
  await page.getByRole("heading", { name: "Conversations", level: 2 }).waitFor();
  return { world, page, elsewhere, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

test("[page-docs] /docs lists every route, event and error, without sign-in or external requests", async () => {
  await using docs = await openDocs();
  const { page, world } = docs;
  const entries = await page.locator("details.entry").evaluateAll((all) => all.map(({ id }) => id));
  await page.evaluate('for (const entry of document.querySelectorAll("details.entry")) entry.open = true');
  await page.locator(".entry:last-child > .entry-content").last().waitFor();
  const paths = await page.locator(".path").allTextContents();
  await page.locator("#createTurn").getByText("With Prefer: respond-async: accepted").waitFor();
  const saysNothing = await page.getByText("Done", { exact: true }).count();

  const says = z.string().parse(await page.locator("#createTurn").textContent());

  expect(saysNothing).toBe(0);
  expect(says).toContain("The turn completes even if the client disconnects");
  expect(says).toContain("// System messages for this call only;");
  expect(entries).toEqual(
    expect.arrayContaining([...Object.keys(routes), "TextDeltaEvent", "Error404", "Conversation"]),
  );
  expect(new Set(entries).size).toBe(entries.length);
  expect(paths).toHaveLength(Object.keys(routes).length);
  expect(docs.elsewhere).toEqual([]);
  expect(world.complaints).toEqual([]);
  expect(await world.context.cookies()).toEqual([]);
}, 300_000);

test("[page-docs] the curl command can be copied and works", async () => {
  await using docs = await openDocs({ at: "#createConversation" });
  const { page, world } = docs;
  await world.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const entry = page.locator("#createConversation");
  await entry.getByRole("button", { name: "Copy" }).first().click();
  await entry.getByRole("button", { name: "Copied" }).waitFor();
  const line = z.string().parse(await page.evaluate("navigator.clipboard.readText()"));
  const shell = Bun.spawn(["sh", "-c", line], {
    env: { PATH: process.env["PATH"], TOKEN: world.host.token },
    stdout: "pipe",
    stderr: "ignore",
  });
  const answer: unknown = JSON.parse(await new Response(shell.stdout).text());

  expect(answer).toMatchObject({ conversation: { id: expect.any(String) } });
  expect((await world.client.call(routes.listConversations)).conversations).toHaveLength(1);
}, 300_000);

test("[page-docs] routes are found by search and by address, and schema links open", async () => {
  await using docs = await openDocs({ at: "#listMessages" });
  const { page } = docs;
  await page
    .locator("#listMessages[open]")
    .getByRole("heading", { name: /^Answer 200/ })
    .waitFor();
  await page.locator("#listMessages").getByRole("link", { name: "Message", exact: true }).click();
  await page.locator("#Message[open] pre").waitFor();
  await page.getByRole("searchbox", { name: "Find a route" }).fill("approvals");
  await page.getByText("1 route", { exact: true }).waitFor();
  const found = await page.locator(".path").allTextContents();
  await page.getByRole("searchbox").fill("nothing of the kind");
  await page.getByText("No route has these letters").waitFor();

  expect(found).toEqual(["/conversations/{id}/approvals/{approvalId}"]);
}, 300_000);

const looks = [
  { colorScheme: "light", width: 390 },
  { colorScheme: "light", width: 1_440 },
  { colorScheme: "dark", width: 390 },
  { colorScheme: "dark", width: 1_440 },
] as const;
const nameOf = ({ colorScheme, width }: (typeof looks)[number]): string => `${colorScheme}, ${width} pixels wide`;
const taken = sampleOf(looks.map(nameOf));

for (const look of looks)
  test.skipIf(!taken.has(nameOf(look)))(
    `[page-docs] /docs has no axe violations and no horizontal scrolling: ${nameOf(look)}`,
    async () => {
      const { colorScheme, width } = look;
      await using docs = await openDocs({ colorScheme, viewport: { width, height: 900 }, at: "#createTurn" });
      const { page, world } = docs;
      for (const id of ["createChatCompletion", "importConversation", "TurnEvent", "Error400"])
        await page.locator(`#${id} > summary`).click();
      await page.locator("#createTurn pre span").first().waitFor();
      const problems = await axeProblems(page);

      expect(problems).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      expect(world.complaints).toEqual([]);
    },
    300_000,
  );
