import { openTrustStore } from "@incipit/host/trust";
import { routes } from "@incipit/transport-contract";
import { expect } from "bun:test";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { axeProblems } from "./axe-problems.ts";
import { test } from "./page-test.ts";
import { until } from "./until.ts";

const data = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const file = { name: "dot.png", mimeType: "image/png", buffer: Buffer.from(data, "base64") };

async function send(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.getByRole("button", { name: "Send" }).click();
}

function replies(page: Page): Locator {
  return page.locator('.message[data-role="assistant"] .markdown');
}

test("[page-conversation] the first message starts a conversation with a streamed reply", async (hosts) => {
  const { world, page } = await hosts.open();
  world.model.enqueue({ kind: "text", chunks: ["Three files: ", "**two** and ", "`one`."], gate: true });
  await send(page, "Which files?");
  await replies(page).getByText("Three files:").waitFor();
  const isRunning = await page.getByRole("button", { name: "Stop" }).isVisible();
  for (let count = 0; count < 6; count += 1) world.model.release();
  await page.getByRole("button", { name: "Continue from here" }).waitFor();
  const entry = page.getByRole("complementary").getByRole("link", { name: /Which files\?/ });
  await entry.first().waitFor();

  expect(isRunning).toBe(true);
  expect(await replies(page).innerHTML()).toBe("<p>Three files: <strong>two</strong> and <code>one</code>.</p>");
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Which files?");
  expect(await entry.count()).toBe(1);
});

test("[page-conversation] a reload and a second tab during a reply show everything and continue", async (hosts) => {
  const { world, page } = await hosts.open();
  world.model.enqueue({ kind: "text", chunks: ["one ", "two ", "three"], gate: true });
  await send(page, "Count");
  await replies(page).getByText("one").waitFor();
  await page.reload();
  await replies(page).getByText("one").waitFor();
  const second = await world.newTab();
  await second.goto(page.url());
  await replies(second).getByText("one").waitFor();
  for (let count = 0; count < 6; count += 1) world.model.release();
  for (const tab of [page, second]) await tab.getByRole("button", { name: "Continue from here" }).waitFor();

  for (const tab of [page, second]) expect(await replies(tab).allTextContents()).toEqual(["one two three"]);
  expect(await page.getByText("Count", { exact: true }).locator("visible=true").count()).toBeGreaterThan(0);
});

test("[page-conversation] killing the host during a reply shows it offline, and the conversation continues afterwards", async (hosts) => {
  const { world, page } = await hosts.open();
  world.model.enqueue({ kind: "text", chunks: ["half of ", "it"], gate: true });
  await send(page, "Say it");
  await replies(page).getByText("half of").waitFor();
  await world.kill("SIGKILL");
  await page.getByRole("main").getByText("The host cannot be reached").waitFor();
  await world.startAgain();
  await page.getByText("The host stopped during this turn").waitFor();
  const isAway = await page.getByRole("main").getByText("The host cannot be reached").isVisible();
  world.model.enqueue({ kind: "text", chunks: ["all of it"] });
  await send(page, "Again");
  await replies(page).getByText("all of it").waitFor();

  expect(isAway).toBe(false);
  expect((await replies(page).allTextContents()).map((text) => text.trim())).toEqual(["half of", "all of it"]);
});

test("[page-conversation] a host that returns between two polls is shown as online again", async (hosts) => {
  const { world, page } = await hosts.open();
  await send(page, "Hello");
  await page.getByRole("button", { name: "Continue from here" }).waitFor();
  const id = /[0-9a-f-]{36}$/.exec(page.url())?.[0] ?? "";
  const away = page.getByRole("main").getByText("The host cannot be reached");
  let isBack = false;
  let refusals = 0;
  // The first poll fails, and the next request, for events, succeeds.
  await page.route(`**/conversations/${id}`, async (route) => {
    if (isBack && refusals > 0) return route.continue();
    if (isBack) refusals += 1;
    return route.abort("connectionrefused");
  });
  await world.kill("SIGKILL");
  await away.waitFor();
  await world.startAgain();
  isBack = true;
  await away.waitFor({ state: "detached" });

  expect(refusals).toBe(1);
});

test("[page-harmless] replies, messages and titles are rendered as plain text", async (hosts) => {
  const { world, page } = await hosts.open();
  const evil =
    '<script>window.evil = 1</script><img src="x" onerror="window.evil = 1"> <b style="color:red">x</b>\n\n[a](javascript:alert(1)) [b](https://good.example/)\n\n<iframe src="https://evil.example"></iframe>\n\n![p](https://evil.example/p.png)';
  const asked: string[] = [];
  world.context.on("request", (request) => asked.push(request.url()));
  world.model.enqueue({ kind: "text", chunks: [evil] });
  await send(page, evil);
  await page.getByRole("button", { name: "Continue from here" }).waitFor();
  const links = page.locator(".markdown a");
  const addresses = await Promise.all((await links.all()).map((link) => link.getAttribute("href")));

  expect(await page.evaluate("window.evil")).toBeUndefined();
  expect(await page.locator("img, iframe, .markdown script, .markdown [style]").count()).toBe(0);
  expect(addresses).toEqual(["https://good.example/", "https://evil.example/p.png"]);
  expect(asked.filter((address) => !address.startsWith(world.host.url))).toEqual([]);
  expect(await page.locator('.message[data-role="user"] .said').textContent()).toBe(evil);
});

test("[page-conversation] a tool approval is answered in place", async (hosts) => {
  const { world, page } = await hosts.open({ config: "[tools]\nworkspace = true\n" });
  const input = JSON.stringify({ path: "new.txt", content: "hello" });
  world.model.enqueue(
    { kind: "tool-calls", calls: [{ id: "call-1", name: "write_file", arguments: input }] },
    { kind: "text", chunks: ["It is there."] },
  );
  await send(page, "Write it");
  const approval = page.getByRole("region", { name: /write_file/ });
  await approval.getByRole("button", { name: "Allow" }).click();
  await replies(page).getByText("It is there.").waitFor();
  await page.locator("[data-live]").first().waitFor({ state: "detached" });
  await page.getByText("Tool write_file").click();

  expect(await page.locator("details pre").first().textContent()).toContain("new.txt");
});

test("[page-conversation] an approval lists the scopes of always, and applies the chosen one", async (hosts) => {
  const { world, page } = await hosts.open({ config: "[tools]\nworkspace = true\n" });
  const shell = (id: string, command: string) => ({ id, name: "shell", arguments: JSON.stringify({ command }) });
  world.model.enqueue(
    { kind: "tool-calls", calls: [shell("call-1", "ls -a && echo one")] },
    { kind: "tool-calls", calls: [shell("call-2", "echo one && ls -l")] },
    { kind: "tool-calls", calls: [shell("call-3", "touch two")] },
    { kind: "text", chunks: ["It is done."] },
  );
  await send(page, "Run it");
  const asked = page.getByRole("region", { name: /shell/ });
  await asked.getByText("&& echo one").waitFor();
  const choices = asked.getByRole("group", { name: /from now on/ }).getByRole("button");
  const covers = await choices.allTextContents();
  await choices.filter({ hasText: 'begin with "ls" or "echo"' }).click();
  await asked.nth(1).getByRole("button", { name: "Deny" }).click();
  await replies(page).getByText("It is done.").waitFor();
  await page.reload();
  await page.getByText("Tool shell").nth(1).click();
  const told = await page.getByText("Ran without asking").textContent();

  expect(covers).toEqual([
    "this command, exactly as it is",
    'commands that begin with "ls" or "echo" and only read',
    'every call of "shell", whatever it is called with',
  ]);
  expect(world.model.requests).toHaveLength(4);
  expect(told).toBe(
    'Ran without asking, allowed by shell(echo:*) of "always" in this conversation, shell(ls:*) of "always" in this conversation.',
  );
});

test("[page-conversation] always can cover later conversations of a trusted folder, and is listed there", async (hosts) => {
  const world = await hosts.start({ config: "[tools]\nworkspace = true\n" });
  const folder = await realpath(world.folder);
  openTrustStore(join(world.folder, "data"), () => undefined).trust(folder, {});
  const page = await world.signIn();
  const shell = (id: string, command: string) => ({ id, name: "shell", arguments: JSON.stringify({ command }) });
  world.model.enqueue(
    { kind: "tool-calls", calls: [shell("call-1", "ls -a")] },
    { kind: "text", chunks: ["It is done."] },
  );
  await send(page, "Run it");
  const asked = page.getByRole("region", { name: /shell/ });
  await asked.getByRole("checkbox", { name: /In later conversations in/ }).check();
  const problems = await axeProblems(page);
  await asked.getByRole("button", { name: /begin with "ls"/ }).click();
  await replies(page).getByText("It is done.").waitFor();
  const { folders } = await world.client.call(routes.listTrustedFolders);
  await page.goto(`${world.host.url}/#/host`);
  await page.getByText(`incipit trust take-back ${folders[0]?.allowed[0]?.id}`).waitFor();

  expect(problems).toEqual([]);
  expect(folders[0]?.allowed).toMatchObject([{ tool: "shell", grants: ["shell(ls:*)"] }]);
});

test("[page-conversation] folds keep their state when a running turn ends", async (hosts) => {
  const { world, page } = await hosts.open({ config: "[tools]\nworkspace = true\n" });
  const call = (id: string) => ({ id, name: "list_files", arguments: "{}" });
  world.model.enqueue(
    { kind: "tool-calls", calls: [call("call-1"), call("call-2")] },
    { kind: "text", chunks: ["Nothing ", "there."], gate: true },
  );
  await send(page, "Look");
  await replies(page).getByText("Nothing").waitFor();
  const calls = page.locator("details", { has: page.getByText("Tool list_files") });
  await calls.nth(1).locator("summary").press("Enter");
  await calls.nth(1).locator("pre").first().waitFor();
  for (let count = 0; count < 6; count += 1) world.model.release();
  await page.locator("[data-live]").first().waitFor({ state: "detached" });

  expect(
    await page.evaluate(
      "[...document.querySelectorAll('article[data-role=assistant] details')].map(({ open }) => open)",
    ),
  ).toEqual([false, true]);
});

test("[page-conversation] a picture is sent with a message and displayed in it", async (hosts) => {
  const { world, page } = await hosts.open();
  await page.locator('input[type="file"]').setInputFiles([file, { ...file, name: "other.png" }]);
  await page.getByRole("button", { name: "Remove other.png" }).click();
  world.model.enqueue({ kind: "text", chunks: ["A dot."] });
  await send(page, "What is it?");
  await replies(page).getByText("A dot.").waitFor();
  const picture = page.getByRole("img", { name: "File dot.png" });
  await picture.waitFor();
  // The sent message is redrawn from storage and loads again.
  await until(page, 'document.querySelector("img.picture")?.naturalWidth === 1');

  expect(await page.getByText("other.png").count()).toBe(0);
  expect(JSON.stringify(world.model.requests[0]?.body)).toContain(data);
});

test("[page-conversation] a rejected picture can be removed after a confirmation, and the conversation continues", async (hosts) => {
  const world = await hosts.start();
  world.model.answer = (body) =>
    body.includes("image_url")
      ? { kind: "error", status: 400, body: '{"error":{"message":"Could not process image"}}' }
      : undefined;
  const page = await world.signIn();
  await page.locator('input[type="file"]').setInputFiles([file]);
  await send(page, "What is it?");
  const remove = page.getByRole("button", { name: "Remove dot.png from the conversation…" });
  await page.getByRole("button", { name: "Try again" }).waitFor();
  await remove.last().click();
  const asked = await page.getByRole("dialog").textContent();
  await page.getByRole("button", { name: "Cancel" }).click();
  const isStillThere = await remove.last().isVisible();
  await page.reload();
  await page.getByRole("button", { name: "Try again" }).waitFor();
  const offered = await remove.count();
  const problems = await axeProblems(page);
  await remove.last().click();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await page.getByText("Removed: models no longer get this file.").waitFor();
  const left = await remove.count();
  world.model.enqueue({ kind: "text", chunks: ["No picture."] });
  await page.getByRole("button", { name: "Try again" }).click();
  await replies(page).getByText("No picture.").waitFor();

  expect(problems).toEqual([]);
  expect(asked).toContain("models get a note instead of the file");
  expect([isStillThere, offered, left]).toEqual([true, 2, 0]);
  const sent = world.model.requests.at(-1)?.body;
  expect(JSON.stringify(sent)).toContain("dot.png, image/png, 70 bytes; removed by the user at");
  expect(JSON.stringify(sent)).not.toContain(data);
});

test("[page-conversation] an answered picture can be removed at its message", async (hosts) => {
  const { world, page } = await hosts.open();
  await page.locator('input[type="file"]').setInputFiles([file]);
  world.model.enqueue({ kind: "text", chunks: ["A dot."] });
  await send(page, "What is it?");
  await replies(page).getByText("A dot.").waitFor();
  await page.getByRole("button", { name: "Remove dot.png from the conversation…" }).click();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await page.getByText("Removed: models no longer get this file.").waitFor();
  const isShown = await page.getByRole("img", { name: "File dot.png" }).isVisible();
  world.model.enqueue({ kind: "text", chunks: ["Gone."] });
  await send(page, "And this?");
  await replies(page).getByText("Gone.").waitFor();

  expect(isShown).toBe(true);
  expect(JSON.stringify(world.model.requests.at(-1)?.body)).not.toContain(data);
});

test("[page-conversation] code in a reply is highlighted and copied with one click", async (hosts) => {
  const world = await hosts.start();
  await world.context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: world.host.url });
  const page = await world.signIn();
  world.model.enqueue({ kind: "text", chunks: ["```ts\nconst a = '<b>';\n```\n\n```nolanguage\nx\n```"] });
  await send(page, "Code");
  await page.locator(".code .hljs-keyword").first().waitFor();
  await page.getByRole("button", { name: "Continue from here" }).waitFor();
  await page.locator(".code").first().getByRole("button", { name: "Copy" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();

  expect(await page.locator(".code pre").allTextContents()).toEqual(["const a = '<b>';", "x"]);
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe("const a = '<b>';");
});

test("[page-conversation] a turn's failure stays visible after the next turn and a reload", async (hosts) => {
  const { world, page } = await hosts.open();
  world.model.enqueue({ kind: "error", status: 400, body: "no such thing" });
  await send(page, "Try");
  await page.getByText("The turn failed").waitFor();
  await page.getByRole("button", { name: "Try again" }).waitFor();
  world.model.enqueue({ kind: "text", chunks: ["now it works"] });
  await send(page, "Other");
  await page.getByRole("button", { name: "Continue from here" }).waitFor();
  const first = page.getByRole("article").filter({ hasText: "The turn failed" });
  const before = await first.textContent();
  await page.reload();
  await page.getByRole("button", { name: "Continue from here" }).waitFor();

  for (const said of [before, await first.textContent()]) {
    expect(said).toContain("Try");
    expect(said).toContain('The turn failed: "local" answered 400');
  }
  expect(await page.getByRole("article").count()).toBe(3);
  expect(await page.getByRole("alert").count()).toBe(0);
  expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
});

test("[page-conversation] a truncated reply is marked, also after a reload, without a retry", async (hosts) => {
  const { world, page } = await hosts.open();
  world.model.enqueue(
    { kind: "text", chunks: ["Half an answer"], end: "length" },
    { kind: "text", chunks: ["I would rather"], end: "content-filter" },
  );
  await send(page, "Tell");
  await page.getByText("The reply is cut off").waitFor();
  await send(page, "Go on");
  await page.getByText("The reply is incomplete").waitFor();
  await page.reload();
  await page.getByText("The reply is incomplete").waitFor();

  const first = page.getByRole("article").filter({ hasText: "Half an answer" });
  expect(await first.textContent()).toContain("The reply is cut off: it reached the model's output limit");
  expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
});

test("[page-conversation] a failed turn's message is resent by keyboard, once per repeated press", async (hosts) => {
  const { world, page } = await hosts.open();
  world.model.enqueue({ kind: "error", status: 400, body: "no such thing" });
  await send(page, "Try");
  const again = page.getByRole("button", { name: "Try again" });
  await again.waitFor();
  await page.reload();
  await again.focus();
  world.model.enqueue({ kind: "text", chunks: ["now it ", "works"], gate: true });
  // Twice before the page can redraw, like a double press or another tab.
  await page.evaluate(
    "document.activeElement.addEventListener('click', ({ target }) => target.click(), { once: true })",
  );
  await page.keyboard.press("Enter");
  await replies(page).getByText("now it").waitFor();
  const focused = await page.evaluate("document.activeElement.getAttribute('aria-label')");
  for (let count = 0; count < 6; count += 1) world.model.release();
  await page.getByRole("button", { name: "Continue from here" }).waitFor();

  expect(await page.locator('.message[data-role="user"] .said').allTextContents()).toEqual(["Try", "Try"]);
  expect(world.model.requests.length).toBe(2);
  expect(await page.getByRole("region", { name: "Waiting for earlier turns" }).count()).toBe(0);
  expect(await again.count()).toBe(0);
  expect(focused).toBe("Messages");
});

test("[page-conversation] activating a freshly drawn control keeps the focus", async (hosts) => {
  const { world, page } = await hosts.open();
  world.model.enqueue({ kind: "error", status: 400, body: "no such thing" });
  await send(page, "Try");
  await page.getByRole("button", { name: "Try again" }).waitFor();
  await page.addInitScript(`new MutationObserver((_, observer) => {
    const button = document.querySelector(".turn-end button");
    if (button === null) return;
    observer.disconnect();
    button.focus();
  }).observe(document, { childList: true, subtree: true });`);
  await page.reload();
  await page.getByRole("button", { name: "Try again" }).waitFor();
  // Anything scheduled for the next frame is done by then.
  await page.evaluate(`(async () => {
    for (let count = 0; count < 20; count += 1) await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  })()`);

  expect(await page.evaluate("document.activeElement.textContent")).toBe("Try again");
});

test("[page-conversation] a stopped turn is marked after a reload, without actions", async (hosts) => {
  const { world, page } = await hosts.open();
  world.model.enqueue({ kind: "text", chunks: ["half of ", "it"], gate: true });
  await send(page, "Say it");
  await replies(page).getByText("half of").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByText("The turn was stopped.").waitFor();
  await page.reload();
  await page.getByText("The turn was stopped.").waitFor();

  expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
});

test("[page-conversation] a message sent during a turn is queued and can be removed", async (hosts) => {
  const { world, page } = await hosts.open();
  world.model.enqueue({ kind: "text", chunks: ["first ", "reply"], gate: true });
  await send(page, "One");
  await replies(page).getByText("first").waitFor();
  await send(page, "Two");
  await send(page, "Three");
  const queue = page.getByRole("region", { name: "Waiting for earlier turns" });
  await queue.getByText("Three").waitFor();
  await queue
    .getByRole("listitem")
    .filter({ hasText: "Two" })
    .getByRole("button", { name: "Remove from the queue" })
    .click();
  await queue.getByText("Two").waitFor({ state: "detached" });
  world.model.enqueue({ kind: "text", chunks: ["last reply"] });
  for (let count = 0; count < 6; count += 1) world.model.release();
  await replies(page).getByText("last reply").waitFor();
  await queue.waitFor({ state: "detached" });

  expect(world.model.requests).toHaveLength(2);
  expect(await page.locator('.message[data-role="user"] .said').allTextContents()).toEqual(["One", "Three"]);
});

test("[page-conversation] a conversation is named, archived, restored, deleted, and erased after the undo period", async (hosts) => {
  const { world, page } = await hosts.open();
  world.model.enqueue({ kind: "text", chunks: ["yes"] });
  await send(page, "Are you there?");
  await page.getByRole("button", { name: "Continue from here" }).waitFor();
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByRole("textbox", { name: "Title" }).waitFor();
  // Its text is selected, so typing replaces it.
  await page.keyboard.type("A better title");
  await page.keyboard.press("Enter");
  const list = page.getByRole("complementary");
  await list.getByText("A better title", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Archive", exact: true }).click();
  await list.getByText("No conversations yet").waitFor();
  await page.getByRole("button", { name: "Bring back" }).click();
  await list.getByText("A better title").waitFor();
  await list.getByRole("searchbox").fill("there");
  await list.getByText("A better title").waitFor();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("“A better title” is deleted.").waitFor();
  await list.getByText("No matching conversations").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await list.getByText("A better title").click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("heading", { name: "New conversation" }).waitFor();
  const kept = await world.client.call(routes.listConversations);
  await page.getByRole("button", { name: "Erase now" }).click();
  await page.getByText("“A better title” is deleted.").waitFor({ state: "detached" });
  const erased = await world.client.call(routes.listConversations);
  await list.getByRole("searchbox").fill("");
  await list.getByText("No conversations yet").waitFor();

  expect([kept, erased].map(({ conversations }) => conversations.length)).toEqual([1, 0]);
});

test("[page-conversation] an unknown provider host is reported by name with advice", async (hosts) => {
  const far = '[providers.far]\nkind = "openai-compatible"\nbase_url = "http://nowhere.invalid/v1"\n';
  const world = await hosts.start({ config: far });
  const { conversation } = await world.client.call(routes.createConversation, { body: { model: "far/any" } });
  const page = await world.signIn();
  await page.goto(`${world.host.url}/#/conversations/${conversation.id}`);
  // The previous view has a field of this name.
  await page.getByRole("heading", { name: "New conversation" }).waitFor({ state: "detached" });
  await send(page, "Hello");
  const said = page.getByRole("alert");
  await said.waitFor();

  expect(await said.textContent()).toMatch(
    /Cannot reach "far": the host "nowhere\.invalid" (?:was not found|could not be looked up) \(E\w+\); check base_url/,
  );
});
