import { saidMessage, sampleOf } from "@incipit/testkit";
import { routes } from "@incipit/transport-contract";
import { expect, test as bunTest } from "bun:test";
import type { Page } from "playwright-core";
import { testedCommand } from "../support/host-process.ts";
import { test } from "./page-test.ts";
import { PageWorld } from "./page-world.ts";
import { drawn, unfoldAll, until } from "./until.ts";

const million = 1_000_000;
/** On an idle machine. */
const longestTaskMs = 1_000;
const evil = '<script>window.evil = 1</script><img src="x" onerror="window.evil = 1"><b style="color:red">x</b>';

const quietWorkMs = 50;

async function watchTasks(page: Page): Promise<void> {
  await page.evaluate(`{
    globalThis.longestTask = 0;
    globalThis.longestWork = ${quietWorkMs};
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longestTask = Math.max(longestTask, duration);
    }).observe({ type: "longtask" });
    const work = () => {
      const startedAt = performance.now();
      let length = 0;
      for (let index = 0; index < 2_000_000; index += 1) length += String(index).split("").length;
      return length === 0 ? 0 : performance.now() - startedAt;
    };
    work(); // It is compiled meanwhile.
    setInterval(() => (longestWork = Math.max(longestWork, work())), 500);
  }`);
}

async function longestTaskOf(page: Page): Promise<number> {
  return Number(await page.evaluate(`(longestTask * ${quietWorkMs}) / longestWork`));
}

const replies = {
  "a line of a million characters": "x".repeat(million),
  "a megabyte of Markdown":
    "## Title\n\n- a *list* with `code`\n- [x] done\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n".repeat(million / 80),
  "a megabyte of code": `\`\`\`ts\n${"const a = '<b>';\n".repeat(million / 17)}\`\`\`\n`,
  "quotes in quotes, thousands deep": "> ".repeat(20_000),
  "what costs a parser the square of its length": `a${" ".repeat(100_000)}b\n${"_a".repeat(50_000)}\n`,
  "a megabyte of HTML": `${evil}\n`.repeat(million / evil.length),
} as const;

const taken = sampleOf(Object.keys(replies));

for (const [name, text] of Object.entries(replies))
  bunTest.skipIf(!taken.has(name))(
    `[page-harmless] the page answers within ${longestTaskMs / 1_000} s while drawing ${name} completely`,
    async () => {
      await using world = await PageWorld.start();
      const messages = [saidMessage("user", text), saidMessage("assistant", text), saidMessage("user", "The end")];
      const id = await world.importConversation(evil, messages);
      const page = await world.signIn();
      await watchTasks(page);
      await page.goto(`${world.host.url}/#/conversations/${id}`);
      await page.getByText("The end").waitFor();
      await page.evaluate('document.querySelector(".messages").scrollTop = 0');
      await drawn(page);
      await page.getByRole("textbox", { name: "Message" }).pressSequentially("still here");
      await drawn(page);
      const more = page.locator('article[data-role="assistant"]').getByRole("button", { name: "Show more" });
      // A hundred thousand characters are shown at first, and as many more with each click.
      for (let count = 0; count < 2 && text.length > (count + 2) * 100_000; count += 1) {
        const before = await page.locator(".pieces > .markdown").count();
        await more.click();
        await until(page, `document.querySelectorAll(".pieces > .markdown").length > ${before}`);
      }
      await drawn(page);

      expect(await longestTaskOf(page)).toBeLessThan(longestTaskMs);
      expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("still here");
      expect(await page.evaluate("window.evil")).toBeUndefined();
      expect(await page.locator("img, .markdown [style]").count()).toBe(0);
      expect(world.complaints).toEqual([]);
    },
    300_000,
  );

test("[page-harmless] HTML in titles, tool data, file names and reasoning is text", async (hosts) => {
  const world = await hosts.start();
  const call = { toolCallId: evil, name: "read_file" };
  const id = await world.importConversation(evil, [
    {
      role: "user",
      parts: [
        { type: "text", text: evil },
        { type: "file", mediaType: "text/plain", data: "eA==", filename: "<img src=x onerror=evil()>.txt" },
      ],
    },
    {
      role: "assistant",
      parts: [
        { type: "reasoning", text: evil },
        { type: "tool-call", ...call, input: JSON.stringify({ path: evil }) },
      ],
    },
    { role: "tool", parts: [{ type: "tool-result", ...call, output: evil, isError: false }] },
    saidMessage("assistant", evil),
  ]);
  const page = await world.signIn();
  await page.goto(`${world.host.url}/#/conversations/${id}`);
  await page.locator("article").last().waitFor();
  await unfoldAll(page.locator("article"));
  await page.locator("article pre").nth(1).waitFor();
  const texts = await page.locator("article pre").allTextContents();
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("option", { name: evil }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("is deleted.").waitFor();

  expect(texts).toEqual([JSON.stringify({ path: evil }), evil]);
  expect(await page.locator(".notice").textContent()).toContain(evil);
  expect(await page.evaluate("window.evil")).toBeUndefined();
  expect(await page.locator("#app :is(img, script, iframe, [style*=color])").count()).toBe(0);
});

test("[page-harmless] an endless reply is drawn as it arrives, and the page stays responsive", async (hosts) => {
  const { world, page } = await hosts.open();
  const line = "Word after *word* after `word`, and no end of it. ";
  const chunks = Array.from({ length: 4_000 }, (_, index) => `${index} ${line.repeat(10)}\n\n`);
  world.model.enqueue({ kind: "text", chunks, gate: true });
  await watchTasks(page);
  await page.getByRole("textbox", { name: "Message" }).fill("Never end");
  await page.keyboard.press("Enter");
  // The last part is released after typing, so the reply cannot have ended before.
  for (let count = 0; count < 3_000; count += 1) world.model.release();
  await until(page, '(document.querySelector("[data-live][aria-busy=true]")?.textContent.length ?? 0) > 100000');
  await page.getByRole("textbox", { name: "Message" }).pressSequentially("I can still write");
  world.model.releaseAll();
  await page.getByRole("button", { name: "Continue from here" }).waitFor();

  expect(await longestTaskOf(page)).toBeLessThan(longestTaskMs);
  expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("I can still write");
});

test("[page-conversation] a reload shows the whole turn even when it began thousands of events ago", async (hosts) => {
  const world = await hosts.start({ config: "[tools]\nworkspace = true\n" });
  await Bun.write(`${world.folder}/a.txt`, "a");
  const page = await world.signIn();
  const calls = Array.from({ length: 900 }, (_, index) => ({
    id: `call-${index}`,
    name: "read_file",
    arguments: '{"path":"a.txt"}',
  }));
  for (let step = 0; step < 3; step += 1) world.model.enqueue({ kind: "tool-calls", calls });
  world.model.enqueue({ kind: "text", chunks: ["the ", "end"], gate: true });
  await page.getByRole("textbox", { name: "Message" }).fill("Read it thousands of times");
  await page.keyboard.press("Enter");
  await page.getByText("the", { exact: true }).waitFor();
  await page.reload();
  await page.getByText("the", { exact: true }).waitFor();

  expect(await page.locator("[data-live] .said").allTextContents()).toEqual(["Read it thousands of times"]);
  expect(await page.getByText("Tool read_file").count()).toBe(2_700);
});

/** 1 to 2 MiB: writes fail like on a full disk. */
const onFullDisk = ["sh", "-c", `trap "" XFSZ; ulimit -f 2048; exec "$@"`, "sh", ...testedCommand];

test("[page-conversation] a message rejected by a full disk stays in its field until sent", async (hosts) => {
  const { world, page } = await hosts.open({ command: onFullDisk });
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill("Begin");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Continue from here" }).waitFor();
  const { conversation } = await world.client.call(routes.createConversation, { body: {} });
  for (let isFull = false; !isFull;) {
    const body = { input: "y".repeat(100_000) };
    const headers = { prefer: "respond-async" };
    isFull = (await world.host.fetch(`/conversations/${conversation.id}/turns`, { body, headers })).status === 507;
  }
  await field.fill(`Not stored ${"z".repeat(200_000)}`);
  await page.keyboard.press("Enter");
  const alert = page.getByRole("alert");
  await alert.waitFor();
  const told = await alert.textContent();
  const kept = await field.inputValue();
  await world.kill("SIGKILL");
  await world.startAgain();
  await page.getByRole("main").getByText("The host cannot be reached").waitFor({ state: "detached" });
  await field.fill("There is room");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Continue from here" }).nth(1).waitFor();

  expect(told).toContain("That failed: Cannot store");
  expect(kept).toStartWith("Not stored zzz");
  expect(await page.locator('.message[data-role="user"] .said').allTextContents()).toEqual([
    "Begin",
    "There is room",
  ]);
});

test("[page-conversation] a message to a missing host stays in its field and is sent once", async (hosts) => {
  const { world, page } = await hosts.open();
  const field = page.getByRole("textbox", { name: "Message" });
  await field.waitFor();
  await world.kill("SIGKILL");
  await field.fill("Nobody hears this");
  await page.keyboard.press("Enter");
  await page.getByRole("main").getByRole("alert").waitFor();
  const kept = await field.inputValue();
  await world.startAgain();
  await page.reload();
  await field.waitFor();
  const afterReload = await field.inputValue();
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("button", { name: "Continue from here" }).waitFor();
  const { conversations } = await world.client.call(routes.listConversations);

  expect([kept, afterReload]).toEqual(["Nobody hears this", "Nobody hears this"]);
  expect(conversations).toHaveLength(1);
  expect(world.model.requests).toHaveLength(1);
  expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("");
});
