import type { ConversationId } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { expect } from "bun:test";
import { join } from "node:path";
import { test } from "./page-test.ts";
import type { PageWorld } from "./page-world.ts";

/** Per million tokens: 100,000 input and 10,000 output cost two dollars. */
const prices =
  "[providers.local.models.test]\ncontext_window = 1000000\nprices = { input = 10, output = 100, cache_read = 1 }\n";
const usage = { inputTokens: 100_000, outputTokens: 10_000, cacheReadTokens: 0 };

async function say(world: PageWorld, id: ConversationId, input: string, system?: string): Promise<void> {
  world.model.enqueue({ kind: "text", chunks: ["Yes."], usage });
  const turn = world.client.sendTurn(id, { input, ...(system === undefined ? {} : { system }) });
  for await (const { type } of turn) if (type === "turn-end") return;
}

async function call(world: PageWorld, content: string): Promise<string> {
  world.model.enqueue({ kind: "text", chunks: ["Done."], usage: { ...usage, cacheReadTokens: 50_000 } });
  await world.client.call(routes.createChatCompletion, {
    body: {
      model: "local/test",
      messages: [
        { role: "system", content: "Answer <b>only</b> yes." },
        { role: "user", content },
      ],
      tools: [{ type: "function", function: { name: "look_up", description: "Looks it up", parameters: {} } }],
    },
  });
  const { calls } = await world.client.call(routes.listCalls, { query: { limit: 1 } });
  return calls[0]?.id ?? "";
}

test("[page-costs] costs by day and model include cache breaks and link to their details", async (hosts) => {
  const { world, page } = await hosts.open({ config: prices });
  const { conversation } = await world.client.call(routes.createConversation, { body: {} });
  const { conversation: other } = await world.client.call(routes.createConversation, { body: {} });
  await say(world, conversation.id, "One <i>thing</i>");
  await say(world, conversation.id, "Two", "Another system text, which breaks the prefix.");
  await say(world, other.id, "Elsewhere");
  await call(world, "May I?");
  await page.getByRole("link", { name: "Costs" }).click();
  const totals = page.getByRole("region", { name: "Total" });
  await totals.getByText("$7.55").waitFor();
  const figures = await totals.textContent();
  const days = page.getByRole("region", { name: "Table of days" });
  const day = (await days.getByRole("rowheader").textContent()) ?? "";
  const bars = await page.locator(".cost-day rect[data-series='0']").count();
  const wasted = await page.locator(".cost-day rect[data-series='wasted']").count();
  await days.getByRole("link", { name: day }).click();
  await page.getByRole("heading", { name: `On ${day}, by conversation` }).waitFor();
  const rows = page.getByRole("region", { name: "Table of conversations" }).getByRole("row");
  for (const title of ["One <i>thing</i>", "Elsewhere"]) await rows.filter({ hasText: title }).waitFor();
  const sources = await rows.getByRole("rowheader").allTextContents();
  const costOfFirst = await rows.filter({ hasText: "One <i>thing</i>" }).textContent();
  await page.getByRole("link", { name: "All days" }).click();
  await page.getByRole("heading", { name: "By conversation", exact: true }).waitFor();
  await page.locator(".cost-day").last().click();
  await page.getByRole("heading", { name: `On ${day}, by conversation` }).waitFor();
  await page.getByRole("link", { name: "One <i>thing</i>" }).click();
  await page.getByRole("heading", { name: "Request inspector", level: 1 }).waitFor();
  const led = page.url();
  await page.goBack();
  await page.getByRole("link", { name: "Calls without a conversation" }).click();
  await page.getByRole("heading", { name: "Calls without a conversation", level: 1 }).waitFor();
  const { costs } = await world.client.call(routes.listCosts, { query: {} });

  expect(figures).toContain("Calls4");
  expect(figures).toContain("400,000");
  expect(figures).toContain("50,000 from the cache");
  expect(figures).toContain("in 1 call");
  expect(figures).not.toContain("Cost of cache breaks$0in");
  expect([bars, wasted]).toEqual([1, 1]);
  expect(sources).toEqual(["One <i>thing</i>", "Elsewhere", "Calls without a conversation"]);
  expect(costOfFirst).toContain("$4.00");
  expect(led).toContain(`/conversations/${conversation.id}/told`);
  expect(costs.reduce((sum, { usd }) => sum + usd.total, 0)).toBeCloseTo(7.55);
});

test("[page-costs] without prices the bars show tokens, and no call is called free", async (hosts) => {
  const { world, page } = await hosts.open();
  await page.goto(`${world.host.url}/#/costs`);
  await page.getByText("No model calls in this period.").waitFor();
  const { conversation } = await world.client.call(routes.createConversation, { body: {} });
  await say(world, conversation.id, "One");
  await page.getByRole("button", { name: "7 days" }).click();
  await page.getByText("1 call is not in these costs").waitFor();

  expect(await page.getByRole("button", { name: "Tokens in" }).getAttribute("aria-pressed")).toBe("true");
  expect(await page.getByRole("region", { name: "Total" }).textContent()).not.toContain("$");
  expect(await page.locator(".cost-day rect[data-series='0']").count()).toBe(1);
  expect(await page.locator(".cost-day").count()).toBe(7);
});

test("[page-costs] calls of a free model are labelled free and drawn by tokens", async (hosts) => {
  const { world, page } = await hosts.open({
    config: prices.replace(/prices = .*/, "prices = { input = 0, output = 0 }"),
  });
  const { conversation } = await world.client.call(routes.createConversation, { body: {} });
  await say(world, conversation.id, "One");
  await page.goto(`${world.host.url}/#/costs`);
  await page.getByRole("region", { name: "Total" }).waitFor();
  await page.getByRole("button", { name: "Money" }).click();
  await page.getByText("No known cost for these calls.").waitFor();
  const bars = await page.locator(".cost-day").count();
  await page.getByRole("button", { name: "Tokens in" }).click();
  await page.locator(".cost-day rect").first().waitFor();

  expect(bars).toBe(0);
});

test("[page-calls] a standalone call shows its prompt, context usage and raw body", async (hosts) => {
  const { world, page } = await hosts.open({ config: prices });
  await page.goto(`${world.host.url}/#/calls`);
  await page.getByText("No model calls by API clients yet.").waitFor();
  await Bun.write(join(world.folder, "AGENTS.md"), "Be brief.");
  const id = await call(world, "May I? ".repeat(200));
  await page.reload();
  const row = page.getByRole("row").nth(1);
  await row.waitFor();
  const listed = await row.textContent();
  await row.getByRole("link").click();
  await page.waitForURL(`**/#/calls/${id}`);
  const picture = page.getByRole("region", { name: "Context usage" });
  await picture.getByRole("row").nth(3).waitFor();
  const parts = await picture.getByRole("rowheader").allTextContents();
  // Window size and system message load separately.
  await picture.getByText("100,000 of the 1,000,000 tokens of the window: 10 %.").waitFor();
  await page.locator(".system-text").waitFor();
  await picture.getByRole("button", { name: "System message" }).click();
  const system = await page.locator(".system-text:focus").textContent();
  const facts = await page.getByRole("region", { name: "The call" }).textContent();
  const bar = page.locator(".cache-bar [data-cache]");
  const shares = await bar.evaluateAll((spans) => spans.map((span) => span.getAttribute("data-cache")));
  await page.locator("summary", { hasText: "Raw body, as sent" }).click();
  const body = page.getByRole("group", { name: "Raw body" });
  await page.getByText("it is the sent body, byte for byte").waitFor();

  expect(listed).toContain("completed");
  expect(listed).toContain("$1.55");
  expect(parts[0]).toContain("You 1: May I?");
  expect(parts).toContain("Tool definition look_up");
  expect(parts).toContain("System message");
  expect(system).toContain("Answer <b>only</b> yes.");
  expect(facts).toContain("50 % of the input was read from the vendor's cache.");
  expect(shares).toEqual(["read", "fresh"]);
  expect(await body.textContent()).toBe(world.model.requests[0]?.body ?? "");
});
