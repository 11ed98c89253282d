import { routes } from "@incipit/transport-contract";
import axe from "axe-core";
import { expect, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import * as z from "zod";
import { PageWorld } from "./page-world.ts";

const resultSchema = z.object({
  violations: z.array(
    z.object({ id: z.string(), help: z.string(), nodes: z.array(z.object({ html: z.string() })) }),
  ),
});

/** What axe finds against WCAG 2.2 AA in what is on the screen. */
async function problemsOf(page: Page): Promise<readonly string[]> {
  // Not as an element of the page: its policy runs no scripts but the host's.
  await page.evaluate(axe.source);
  const tags = JSON.stringify(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]);
  const found = await page.evaluate(`axe.run(document, { runOnly: ${tags} })`);
  return resultSchema
    .parse(found)
    .violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(" ")}`);
}

const reply =
  "# Title\n\nText with `code` and [a link](https://example.com).\n\n```ts\nconst a = 1;\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n- [x] done";

/** Each view that somebody can come to, with what axe finds there. */
async function walk(colorScheme: "light" | "dark", width: number): Promise<ReadonlyMap<string, readonly string[]>> {
  await using world = await PageWorld.start({
    colorScheme,
    viewport: { width, height: 800 },
    config: "[tools]\nworkspace = true\n",
  });
  const stranger = await world.newTab();
  await stranger.goto(world.host.url);
  await stranger.getByRole("heading", { name: "Sign in to Incipit" }).waitFor();
  const found = new Map([["sign in", await problemsOf(stranger)]]);
  const page = await world.signIn();
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  found.set("new conversation", await problemsOf(page));
  const input = JSON.stringify({ path: "new.txt", content: "hello" });
  world.model.enqueue(
    { kind: "text", chunks: [reply] },
    { kind: "tool-calls", calls: [{ id: "call-1", name: "write_file", arguments: input }] },
    { kind: "error", status: 400, body: "no" },
  );
  await page.getByRole("textbox", { name: "Message" }).fill("Show me");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Continue from here" }).waitFor();
  found.set("conversation", await problemsOf(page));
  await page.getByRole("textbox", { name: "Message" }).fill("Write it");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Allow" }).waitFor();
  found.set("approval", await problemsOf(page));
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByRole("alert").waitFor();
  found.set("failed turn", await problemsOf(page));
  const id = /[0-9a-f-]{36}$/.exec(page.url())?.[0] ?? "";
  const { conversation } = await world.client.call(routes.getConversation, { params: { id } });
  await Bun.write(join(conversation.cwd, "AGENTS.md"), "Be brief.");
  await page.evaluate('dispatchEvent(new Event("focus"))');
  const badge = page.getByRole("link", { name: /The prompt would differ now/ });
  await badge.waitFor();
  found.set("badge", await problemsOf(page));
  await badge.click();
  await page.locator(".step .facts").waitFor();
  await page.getByRole("heading", { name: "The prompt would differ now" }).waitFor();
  found.set("told", await problemsOf(page));
  for (const summary of await page.locator("summary").all()) await summary.click();
  await page.getByRole("group", { name: "Raw body" }).waitFor();
  await page.locator(".comparison").waitFor();
  found.set("told, unfolded", await problemsOf(page));
  await page.getByRole("button", { name: "Rebuild…" }).click();
  await page.getByRole("dialog").waitFor();
  found.set("rebuild", await problemsOf(page));
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("link", { name: "Show me" }).click();
  await page.getByRole("button", { name: "Delete…" }).click();
  await page.getByRole("dialog").waitFor();
  found.set("question", await problemsOf(page));
  await page.goto(`${world.host.url}/#/host`);
  await page.getByText("The host is well.").waitFor();
  await page.getByRole("article", { name: "system-prompt" }).waitFor();
  found.set("host", await problemsOf(page));
  await page.goto(`${world.host.url}/#/prompt`);
  const editor = page.getByRole("textbox", { name: "Template of the system prompt" });
  await editor.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText("[if git:branch]On [git:branch][else]No git[endif] in [prompt:cwd], [sytem:os]");
  await page.getByText("Did you mean").first().waitFor();
  await page.locator('.parts [data-origin="variable"]').first().focus();
  // What lies half under the bar that stays would count as a small target.
  await page.evaluate("document.querySelector('.prompt').scrollTo(0, 0)");
  found.set("system prompt", await problemsOf(page));
  if (width < 768) await page.getByText("Insert", { exact: true }).click();
  await page.getByRole("button", { name: "Choose a file…" }).click();
  await page.getByRole("button", { name: /^AGENTS.md/ }).waitFor();
  found.set("choice of a file", await problemsOf(page));
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved as version 1").waitFor();
  await page.getByRole("button", { name: "What changed" }).click();
  await page.getByRole("region", { name: "What changed in version 1" }).waitFor();
  await editor.click();
  await page.keyboard.type("[sys");
  await page.getByRole("option", { name: /^system:time ?Current/ }).waitFor();
  found.set("versions and completion", await problemsOf(page));
  await world.client.call(routes.setSystemPrompt, { body: { template: "Another" } });
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+s");
  await page.getByRole("region", { name: "Somebody else has stored another template" }).waitFor();
  await page.getByRole("button", { name: "Take theirs, keep mine aside" }).click();
  await page.getByRole("region", { name: "Unsaved work" }).waitFor();
  found.set("conflict and unsaved work", await problemsOf(page));
  await page.goto(`${world.host.url}/#/costs`);
  await page.getByRole("region", { name: "Table of days" }).waitFor();
  await page.getByRole("region", { name: "Table of days" }).getByRole("link").click();
  await page.getByRole("link", { name: "All days" }).waitFor();
  found.set("costs", await problemsOf(page));
  const messages = [{ role: "user" as const, content: "May I?" }];
  await world.client.call(routes.createChatCompletion, { body: { model: "local/test", messages } });
  await page.goto(`${world.host.url}/#/calls`);
  await page.getByRole("row").nth(1).waitFor();
  found.set("calls", await problemsOf(page));
  await page.getByRole("row").nth(1).getByRole("link").click();
  await page.getByRole("region", { name: "What fills the context" }).getByRole("row").nth(1).waitFor();
  await page.locator(".system-text").waitFor();
  await page.locator("summary", { hasText: "The raw body" }).click();
  await page.getByRole("group", { name: "Raw body" }).waitFor();
  found.set("call", await problemsOf(page));

  expect(world.complaints.filter((complaint) => !complaint.includes("status of 409"))).toEqual([]);
  return found;
}

test("[page-accessible] axe finds nothing on any view, light and dark, narrow and wide", async () => {
  for (const [colorScheme, width] of [
    ["light", 390],
    ["light", 1440],
    ["dark", 390],
    ["dark", 1440],
  ] as const) {
    const found = await walk(colorScheme, width);

    expect(found.size).toBe(18);
    for (const [view, problems] of found)
      expect({ view, colorScheme, width, problems }).toEqual({ view, colorScheme, width, problems: [] });
  }
}, 180_000);
