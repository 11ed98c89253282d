import type { ConversationId } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { expect } from "bun:test";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { test } from "./page-test.ts";
import type { PageWorld } from "./page-world.ts";
import { unfoldAll } from "./until.ts";

const workspaceTools = "[tools]\nworkspace = true\n";

interface Told {
  readonly id: ConversationId;
  readonly write: (name: string, text: string) => Promise<unknown>;
}

async function converse(
  world: PageWorld,
  inputs: readonly string[],
  agents = "Be brief.",
  body: { readonly model?: string } = {},
): Promise<Told> {
  const { conversation } = await world.client.call(routes.createConversation, { body });
  const { id, cwd } = conversation;
  const write = (name: string, text: string): Promise<number> => Bun.write(join(cwd, name), text);
  await write("AGENTS.md", agents);
  for (const input of inputs) await say(world, id, input);
  return { id, write };
}

async function say(world: PageWorld, id: ConversationId, input: string): Promise<void> {
  for await (const { type } of world.client.sendTurn(id, { input })) if (type === "turn-end") return;
}

async function open(page: Page, world: PageWorld, id: string, stepId = ""): Promise<void> {
  await page.goto(`${world.host.url}/#/conversations/${id}/told${stepId === "" ? "" : `/${stepId}`}`);
  await page.getByRole("heading", { name: "Request inspector", level: 1 }).waitFor();
  await page.locator(".step .facts").waitFor();
}

async function unfold(page: Page, title: string | RegExp): Promise<Locator> {
  const summary = page.locator("summary", { hasText: title });
  await summary.click();
  return page.locator("details", { has: summary });
}

async function stepIds(world: PageWorld, id: string): Promise<readonly string[]> {
  const { steps } = await world.client.call(routes.listSteps, { params: { id } });
  return steps.map((step) => step.id);
}

test("[page-told] each raw body equals the received bytes, confirmed by its hash", async (hosts) => {
  const { world, page } = await hosts.open({ config: workspaceTools });
  const said = ["One: «ä» 🙂 \u202E\u0000\n\t  two  spaces", "Two"];
  const { id } = await converse(world, said, `Line one\r\n\r\n  ${"long ".repeat(5_000)}\n`);
  const shown: (string | null)[] = [];
  const states: (string | null)[] = [];
  for (const stepId of await stepIds(world, id)) {
    await open(page, world, id, stepId);
    const body = await unfold(page, "Raw body, as sent");
    shown.push(await body.getByRole("group", { name: "Raw body" }).textContent());
    states.push(await body.getByRole("status").textContent());
  }

  expect(shown).toHaveLength(2);
  expect(shown).toEqual(world.model.requests.map(({ body }) => body));
  for (const state of states) expect(state).toContain("it is the sent body, byte for byte");
});

test("[page-told] the system message shows the files of its parts, linked to the overview", async (hosts) => {
  const { world, page } = await hosts.open({ config: workspaceTools });
  world.model.enqueue(
    { kind: "tool-calls", calls: [{ id: "call-1", name: "read_file", arguments: '{"path":"big.txt"}' }] },
    { kind: "text", chunks: ["It is long."] },
  );
  const { id, write } = await converse(world, []);
  await write("big.txt", "0123456789\n".repeat(500));
  await say(world, id, "Read it");
  await open(page, world, id);
  const picture = page.getByRole("region", { name: "Context usage" });
  const fromFile = page.locator('.parts [data-origin="variable"]', { hasText: "Be brief." });
  await picture.getByRole("button", { name: /^Variable file:AGENTS\.md/ }).click();
  const led = await page.locator(".parts .part:focus").textContent();
  await picture.getByRole("button", { name: /^Tool result \d+: read_file/ }).click();
  const result = page.locator("details[open]", { hasText: "Tool results" });
  const largest = await picture.getByRole("row").nth(1).textContent();

  expect(led).toContain("Be brief.");
  expect(await fromFile.getAttribute("title")).toBe("Variable file:AGENTS.md");
  expect(await result.locator("pre").textContent()).toContain("0123456789\n0123456789");
  expect(await page.locator("summary:focus").textContent()).toContain("Tool results");
  expect(largest).toContain("Tool result");
  expect(await picture.textContent()).toContain("≈");
});

test("[page-told] intact prefixes are confirmed, and breaks name the first difference", async (hosts) => {
  const { world, page } = await hosts.open();
  const { id, write } = await converse(world, ["one", "two", "three"]);
  await open(page, world, id);
  const calls = page.getByRole("navigation", { name: "Model calls" }).locator("ol > li");
  const steady = (await calls.allTextContents()).toReversed();
  const bar = await calls
    .first()
    .locator("[data-cache]")
    .evaluateAll((parts) => parts.map((part) => part.getAttribute("data-cache")));
  await write("AGENTS.md", "Be long.");
  await world.client.call(routes.rebuildPrompt, { params: { id }, body: {} });
  await say(world, id, "four");
  for await (const _ of world.client.sendTurn(id, { input: "five", system: "Only this." }));
  await calls.nth(4).waitFor();
  const [rebuilt, broken] = (await calls.allTextContents()).toReversed().slice(3);

  const totals = await page.locator(".totals").textContent();

  expect(steady).toHaveLength(3);
  expect(steady[0]).toContain("The first request of the conversation");
  for (const text of steady.slice(1))
    expect(text).toContain("Begins with the whole previous request, byte for byte.");
  expect(steady[2]).toContain("8 from the cache");
  expect(bar).toEqual(["read", "same", "fresh"]);
  expect(rebuilt).toContain("First difference: the system prompt");
  expect(rebuilt).toContain("Changed: [file:AGENTS.md].");
  expect(totals).toContain("5 calls: 2 with an intact prefix, 1 with a cache break, 1 changed on request.");
  expect(broken).toContain("This call or the previous one brought its own system messages");
  expect(broken).toContain("First difference: the system prompt");
  expect(broken).toContain("What to do: put permanent instructions into the template or a profile");
});

test("[page-drift] a changed file adds a badge; a confirmed rebuild shows its cost and clears it", async (hosts) => {
  const { world, page } = await hosts.open();
  const { id, write } = await converse(world, ["one"]);
  await page.goto(`${world.host.url}/#/conversations/${id}`);
  await page.getByRole("link", { name: "Request inspector" }).waitFor();
  const badge = page.getByRole("link", { name: /The prompt would differ now/ });
  const before = await badge.count();
  await write("AGENTS.md", "Be <b>long</b>.");
  // As when returning to the tab from an editor.
  await page.evaluate('dispatchEvent(new Event("focus"))');
  await badge.waitFor();
  const says = await badge.textContent();
  await badge.click();
  await unfold(page, "Line-by-line diff");
  const difference = await page.locator(".drift .diff").textContent();
  await page.getByRole("button", { name: "Rebuild…" }).click();
  const question = await page.getByRole("dialog").textContent();
  await page.getByRole("button", { name: "Cancel" }).click();
  const { systemPrompt: kept } = await world.client.call(routes.getConversationSystemPrompt, { params: { id } });
  await page.getByRole("button", { name: "Rebuild…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Rebuild", exact: true }).click();
  await page.getByText("The prompt was rebuilt.").waitFor();
  await page.getByRole("heading", { name: "The prompt would differ now" }).waitFor({ state: "detached" });
  await page.goto(`${world.host.url}/#/conversations/${id}`);
  await page.getByRole("link", { name: "Request inspector" }).waitFor();
  await say(world, id, "two");
  await open(page, world, id);
  const rebuilt = await page
    .getByRole("navigation", { name: "Model calls" })
    .locator("ol > li")
    .first()
    .textContent();

  expect(before).toBe(0);
  expect(says).toContain("file:AGENTS.md");
  expect(difference).toContain("-Be brief.");
  expect(difference).toContain("+Be <b>long</b>.");
  expect(question).toMatch(/cache misses about \d+ tokens: the next request pays the full price for them/);
  expect(kept).toContain("Be brief.");
  expect(world.model.requests.at(-1)?.body).toContain("Be <b>long</b>.");
  expect(rebuilt).toContain("was rebuilt on request");
  expect(rebuilt).toContain("the system prompt");
});

test("[page-told] [page-drift] calls and rebuilds of a free model are shown to cost nothing", async (hosts) => {
  const { world, page } = await hosts.open();
  const { id, write } = await converse(world, ["one"], "Be brief.", { model: "offline/echo" });
  await open(page, world, id);
  await page.locator(".drift").getByText("Nothing has changed").waitFor();
  const cost = await page.locator(".facts").getByText("Nothing: this model is free.").count();
  const totals = await page.locator(".totals").textContent();
  const steady = await page.locator(".drift").textContent();
  await write("AGENTS.md", "Be quick.");
  await page.evaluate('dispatchEvent(new Event("focus"))');
  await page.getByText("A rebuild costs nothing with this model.").waitFor();

  expect(cost).toBe(1);
  expect(totals).toBe("1 call.");
  expect(steady).toContain("Nothing has changed since the prompt was built");
  expect(await page.locator(".drift li").textContent()).toContain("has another value, of 9 bytes as before");
});

test("[page-told] comparing two calls shows what only one contains", async (hosts) => {
  const { world, page } = await hosts.open();
  const { id, write } = await converse(world, ["one"]);
  await write("AGENTS.md", "Be long.");
  await world.client.call(routes.rebuildPrompt, { params: { id }, body: {} });
  await say(world, id, "two");
  await open(page, world, id);
  const comparison = await unfold(page, "Compare with another call");
  await comparison.locator(".diff").waitFor();

  expect(await comparison.locator('.diff [data-kind="removed"]').allTextContents()).toEqual(["-Be brief.\n"]);
  expect(await comparison.locator('.diff [data-kind="added"]').allTextContents()).toEqual(["+Be long.\n"]);
  expect(await comparison.textContent()).toContain("The first message is the same.");
  expect(await comparison.locator(".pairs summary").allTextContents()).toEqual([
    expect.stringContaining("2. Model"),
    expect.stringContaining("3. You"),
  ]);
});

test("[page-told] the previous call is shown even when the list loads later", async (hosts) => {
  const { world, page } = await hosts.open();
  const { id } = await converse(world, ["one", "two"]);
  const newest = (await stepIds(world, id)).at(-1) ?? "";
  const unfolded = Promise.withResolvers<void>();
  await page.route(/\/audit/, async (route) => {
    await unfolded.promise;
    await route.continue();
  });
  await open(page, world, id, newest);
  const comparison = await unfold(page, "Compare with another call");
  await comparison.getByRole("combobox").waitFor();
  unfolded.resolve();
  await comparison.locator(".comparison").waitFor();

  expect(await comparison.getByRole("combobox").inputValue()).not.toBe("");
});

test("[page-told] the savings of a compaction are shown, and its summary is a part", async (hosts) => {
  const { world, page } = await hosts.open();
  const { id } = await converse(world, ["one ".repeat(2_000), "two"]);
  world.model.enqueue({ kind: "text", chunks: ["They counted."] });
  await world.client.call(routes.compactConversation, { params: { id } });
  await say(world, id, "three");
  await open(page, world, id);
  const picture = page.getByRole("region", { name: "Context usage" });
  await picture.getByText("A compaction removed").waitFor();

  expect(await picture.getByRole("button", { name: /^Summary 1/ }).count()).toBe(1);
  expect(await page.getByRole("navigation", { name: "Model calls" }).textContent()).toContain(
    "summarizes the conversation",
  );
});

test("[page-harmless] HTML in files, messages, results and replies is text in the request inspector", async (hosts) => {
  const { world, page } = await hosts.open({ config: workspaceTools });
  const evil =
    '<script>window.evil = 1</script><img src="x" onerror="window.evil = 1"><style>*{display:none}</style><a href="javascript:window.evil=1">x</a></pre><iframe src="https://evil.example"></iframe>';
  world.model.enqueue(
    { kind: "tool-calls", calls: [{ id: "call-1", name: "read_file", arguments: '{"path":"evil.txt"}' }] },
    { kind: "text", chunks: [evil] },
  );
  const { id, write } = await converse(world, [], evil);
  await write("evil.txt", evil);
  await say(world, id, evil);
  await write("AGENTS.md", `${evil}${evil}`);
  await open(page, world, id);
  await page.getByRole("heading", { name: "The prompt would differ now" }).waitFor();
  await unfoldAll(page);
  await page.getByRole("group", { name: "Raw body" }).waitFor();
  await page.locator(".comparison").waitFor();
  const texts = await page.locator("pre").allTextContents();

  expect(await page.evaluate("window.evil")).toBeUndefined();
  expect(await page.locator('main script, img, iframe, main style, [href^="javascript"]').count()).toBe(0);
  expect(texts.filter((text) => text.includes(evil)).length).toBeGreaterThanOrEqual(4);
});

test("[page-told] a body of megabytes is copied completely while the page stays responsive", async (hosts) => {
  const world = await hosts.start();
  await world.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await world.signIn();
  const { id } = await converse(world, ["a".repeat(3_000_000)]);
  await open(page, world, id);
  const body = await unfold(page, "Raw body, as sent");
  const shown = body.getByRole("group", { name: "Raw body" });
  await shown.waitFor();
  await body.getByRole("button", { name: "Copy" }).click();
  await body.getByRole("button", { name: "Copied" }).waitFor();
  const beginning = (await shown.textContent())?.length;
  await body.getByRole("button", { name: "Show more" }).press("Enter");
  await body.getByRole("button", { name: "Show more" }).waitFor({ state: "detached" });
  const sent = world.model.requests[0]?.body ?? "";

  expect(beginning).toBe(2_000_000);
  expect((await shown.textContent()) === sent).toBe(true);
  expect((await page.evaluate("navigator.clipboard.readText()")) === sent).toBe(true);
});

test("[page-told] a short host outage removes nothing and keeps folds", async (hosts) => {
  const { world, page } = await hosts.open();
  const { id } = await converse(world, ["one"]);
  await open(page, world, id);
  const body = await unfold(page, "Raw body, as sent");
  const shown = body.getByRole("group", { name: "Raw body" });
  await shown.waitFor();
  await world.kill("SIGKILL");
  await page.getByText("The host cannot be reached").first().waitFor();
  const away = await shown.textContent();
  await world.startAgain();
  await page.getByText("The host cannot be reached").first().waitFor({ state: "detached" });

  expect(away).toBe(world.model.requests[0]?.body ?? "");
  expect(await shown.textContent()).toBe(away);
  expect(await page.getByRole("navigation", { name: "Model calls" }).locator("ol > li").count()).toBe(1);
});
