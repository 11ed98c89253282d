import { openTrustStore } from "@incipit/host/trust";
import { RecordingBotServer } from "@incipit/testkit";
import { routes } from "@incipit/transport-contract";
import { expect } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { PageWorld } from "./page-world.ts";
import { drawn, longestWaitMs, unfoldAll, until } from "./until.ts";
import { fixtureServer, mcpServer } from "../support/mcp-programs.ts";

const reply =
  "# Title\n\nText with `code` and [a link](https://example.com).\n\n```ts\nconst a = 1;\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n- [x] done";

const profile = '[profiles.reviewer]\nmodel = "local/test"\nsystem_prompt = "Review on [system:os]."\n';
const server = mcpServer("files", [fixtureServer, "plain", "/dev/null", "/dev/null"]);

/** Increase for each new view; every visit must reach this count. */
const viewCount = 26;

export interface EveryViewOptions {
  readonly colorScheme: "light" | "dark";
  readonly width: number;
}

/** `lookAt` may change the page and must restore it. */
export async function visitEveryView(
  { colorScheme, width }: EveryViewOptions,
  lookAt: (view: string, page: Page) => Promise<void>,
): Promise<void> {
  const seen = new Set<string>();
  const look = async (view: string, page: Page): Promise<void> => {
    seen.add(view);
    await settled(page);
    await lookAt(view, page);
  };
  await using bot = new RecordingBotServer();
  const channel = `[channels.telegram]\nenabled = true\napi_root = "${bot.url}"\npeople = ["42"]\n[gateway_prompts]\nmedia = false\n`;
  await using world = await PageWorld.start({
    browser: "complete",
    env: { TELEGRAM_BOT_TOKEN: bot.token },
    colorScheme,
    viewport: { width, height: 800 },
    port: 0,
    config: `[tools]\nworkspace = true\n${profile}${server}${channel}`,
  });
  const stranger = await world.newTab();
  await stranger.goto(world.host.url);
  await stranger.getByRole("heading", { name: "Sign in to Incipit" }).waitFor();
  await look("sign in", stranger);
  const page = await world.signIn();
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  await page.getByRole("option", { name: "local/test" }).waitFor({ state: "attached" });
  await look("new conversation", page);
  const input = JSON.stringify({ path: "new.txt", content: "hello" });
  world.model.enqueue(
    { kind: "text", chunks: [reply] },
    { kind: "tool-calls", calls: [{ id: "call-1", name: "write_file", arguments: input }] },
    { kind: "error", status: 400, body: "no" },
  );
  await page.getByRole("textbox", { name: "Message" }).fill("Show me");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Continue from here" }).waitFor();
  await look("conversation", page);
  await page.getByRole("textbox", { name: "Message" }).fill("Write it");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Allow" }).waitFor();
  await look("approval", page);
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByRole("alert").waitFor();
  await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
  await look("failed turn", page);
  const id = /[0-9a-f-]{36}$/.exec(page.url())?.[0] ?? "";
  const { conversation } = await world.client.call(routes.getConversation, { params: { id } });
  await Bun.write(join(conversation.cwd, "AGENTS.md"), "Be brief.");
  await page.evaluate('dispatchEvent(new Event("focus"))');
  const badge = page.getByRole("link", { name: /The prompt would differ now/ });
  await badge.waitFor();
  await look("badge", page);
  await badge.click();
  await page.locator(".step .facts").waitFor();
  await page.getByRole("heading", { name: "The prompt would differ now" }).waitFor();
  await look("told", page);
  await unfoldAll(page);
  await page.getByRole("group", { name: "Raw body" }).waitFor();
  await page.locator(".comparison").waitFor();
  await look("told, unfolded", page);
  await page.getByRole("button", { name: "Rebuild…" }).click();
  await page.getByRole("dialog").waitFor();
  await look("rebuild", page);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("link", { name: "Show me" }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("is deleted.").waitFor();
  await page.getByRole("option", { name: "local/test" }).first().waitFor({ state: "attached" });
  await look("deleted", page);
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("option").first().waitFor();
  await look("commands", page);
  await page.getByRole("combobox", { name: "Command or conversation" }).fill("shortcuts");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await look("shortcuts", page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Undo" }).click();
  await page.goto(`${world.host.url}/#/host`);
  await page.getByText("The host is healthy.").waitFor();
  await page.getByRole("article", { name: "system-prompt" }).waitFor();
  await look("host", page);
  const body = {
    scopes: ["read" as const],
    days: 1,
    name: "a-name-of-one-word-that-is-as-long-as-names-of-tokens-can-be",
  };
  const { token: over } = await world.client.call(routes.createToken, { body });
  await world.client.call(routes.revokeToken, { params: { id: over.id } });
  await page.getByLabel("Name").fill("dashboard");
  await page.getByRole("button", { name: "Create the token" }).click();
  await page.getByRole("region", { name: "“dashboard” was created" }).waitFor();
  await page.getByRole("article", { name: "dashboard" }).waitFor();
  await page.getByText("1 expired or revoked").click();
  await look("tokens", page);
  await page
    .getByRole("article", { name: "files" })
    .getByText(/^running/)
    .waitFor();
  openTrustStore(join(world.folder, "data"), () => undefined).trust(conversation.cwd, {
    "AGENTS.md": "0".repeat(64),
  });
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Costs" }).click();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Host" }).click();
  await page.getByText("changed since it was trusted").waitFor();
  await page.getByRole("article", { name: "system-prompt" }).waitFor();
  await page.getByRole("region", { name: "Table of keys" }).waitFor();
  await page.getByLabel("Include unset keys").check();
  await page.getByRole("searchbox", { name: "Find a key" }).fill("listen");
  await page.getByRole("article", { name: "files" }).locator("summary").first().waitFor();
  await page.locator("summary", { hasText: "Edit and try its prompt" }).waitFor();
  await unfoldAll(page);
  await page.getByRole("textbox", { name: "Prompt of reviewer" }).fill("Review [system:os]");
  await page.getByRole("group", { name: "Lines for the configuration" }).waitFor();
  await page.getByText(`Review ${process.platform}`, { exact: true }).waitFor();
  await look("host, unfolded", page);
  await world.client.call(routes.putProfile, {
    params: { name: "poet" },
    headers: { "if-none-match": "*" },
    body: { text: "---\ndescription: Rhymes\ntools: WebSearch\n---\n\nYou rhyme.\n", user: true },
  });
  await page.goto(`${world.host.url}/#/agent/poet`);
  const agent = page.getByRole("textbox", { name: "Text of poet" });
  await page.getByRole("group", { name: "Prompt of a new conversation" }).waitFor();
  await agent.click();
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText("Always.");
  await page.getByText("Not saved yet.").waitFor();
  await look("agent", page);
  await page.getByRole("button", { name: "Discard changes" }).click();
  await page.goto(`${world.host.url}/#/prompt`);
  const editor = page.getByRole("textbox", { name: "Template of the system prompt" });
  await editor.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText("[if git:branch]On [git:branch][else]No git[endif] in [prompt:cwd], [sytem:os]");
  await page.getByText("Did you mean").first().waitFor();
  await page.locator('.parts [data-origin="variable"]').first().focus();
  // A control half hidden under the sticky bar would count as a small target.
  await page.evaluate("document.querySelector('.prompt').scrollTo(0, 0)");
  await look("system prompt", page);
  if (width < 768) await page.getByText("Insert", { exact: true }).click();
  await page.getByRole("button", { name: "Choose a file…" }).click();
  await page.getByRole("button", { name: /^AGENTS.md/ }).waitFor();
  // The folder is the host's home, where files of the runtime may or may not exist.
  await page.getByRole("dialog").getByRole("searchbox", { name: "Name" }).fill("md");
  await page.getByRole("button", { name: /incipit.toml/ }).waitFor({ state: "detached" });
  await look("choice of a file", page);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved as version 1").waitFor();
  await page.getByRole("button", { name: "Changes" }).click();
  await page.getByRole("region", { name: "Changes in version 1" }).waitFor();
  await editor.click();
  await page.keyboard.type("[sys");
  await page.getByRole("option", { name: /^system:time ?Current/ }).waitFor();
  await page.locator(".parts").getByText("[sys").waitFor();
  await look("versions and completion", page);
  await world.client.call(routes.setSystemPrompt, { body: { template: "Another" } });
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+s");
  await page.getByRole("region", { name: "The template was changed elsewhere" }).waitFor();
  await page.getByRole("button", { name: "Use the stored version, keep mine as unsaved work" }).click();
  await page.getByRole("region", { name: "Unsaved work" }).waitFor();
  await page.getByText("The template uses no variables.").waitFor();
  await look("conflict and unsaved work", page);
  await page.goto(`${world.host.url}/#/compare/version:1/prompt:${id}`);
  await page.getByRole("region", { name: "Table of differing lines" }).waitFor();
  await look("two prompts", page);
  await world.client.call(routes.createSchedule, {
    body: { id: "daily-report", task: "Say what is open", cron: "0 9 * * *", timeZone: "Europe/Berlin" },
  });
  await world.client.call(routes.runSchedule, { params: { id: "daily-report" } });
  await page.goto(`${world.host.url}/#/schedules`);
  const task = page.getByRole("article", { name: "daily-report" });
  await task.getByText("Done").waitFor();
  await task.getByText("Runs", { exact: true }).click();
  await task.locator("details li").waitFor();
  await page.getByText("The heartbeat is off").waitFor();
  await look("schedules", page);
  bot.person({ name: "Ada", id: 42 }).says("/status");
  await bot.waitFor(({ sent }) => sent.length === 1);
  bot.fail("sendMessage", { kind: "cut", isTaken: false });
  await world.client.call(routes.sendToChannel, {
    params: { id: "telegram" },
    body: { chat: "42", text: "The backup of tonight is done." },
  });
  await untilUnknown(world);
  await page.goto(`${world.host.url}/#/channels`);
  const telegram = page.getByRole("article", { name: "telegram" });
  await telegram.getByText("1 message").waitFor();
  await telegram.getByText("Sent messages").click();
  await telegram.getByText("Delivery unknown").waitFor();
  await telegram.getByText("from the configuration").waitFor();
  await look("channels", page);
  await page.goto(`${world.host.url}/#/costs`);
  await page.getByRole("region", { name: "Table of days" }).waitFor();
  await page.getByRole("region", { name: "Table of days" }).getByRole("link").click();
  await page.getByRole("link", { name: "All days" }).waitFor();
  await look("costs", page);
  const messages = [{ role: "user" as const, content: "May I?" }];
  await world.client.call(routes.createChatCompletion, { body: { model: "local/test", messages } });
  await page.goto(`${world.host.url}/#/calls`);
  await page.getByRole("row").nth(1).waitFor();
  await look("calls", page);
  await page.getByRole("row").nth(1).getByRole("link").click();
  await page.getByRole("region", { name: "Context usage" }).getByRole("row").nth(1).waitFor();
  await page.locator(".system-text").waitFor();
  await page.locator("summary", { hasText: "Raw body, as sent" }).click();
  await page.getByRole("group", { name: "Raw body" }).waitFor();
  await look("call", page);

  expect(seen.size).toBe(viewCount);
  expect(world.complaints.filter((complaint) => !complaint.includes("status of 409"))).toEqual([]);
}

async function untilUnknown(world: PageWorld): Promise<void> {
  for (const deadline = performance.now() + longestWaitMs; performance.now() < deadline;) {
    const { channels } = await world.client.call(routes.listChannels);
    if (channels.some(({ unknown }) => unknown > 0)) return;
  }
  throw new Error(`Waited ${longestWaitMs} ms in vain for a message of which nobody knows`);
}

async function settled(page: Page): Promise<void> {
  await drawn(page);
  await until(
    page,
    'document.querySelector("section[aria-busy=true]") === null && !document.body.textContent.includes("Loading…")',
  );
}
