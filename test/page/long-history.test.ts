import { saidMessage, type ExportedMessage } from "@incipit/testkit";
import { expect } from "bun:test";
import type { Locator, Page } from "playwright-core";
import * as z from "zod";
import { test } from "./page-test.ts";
import type { PageWorld } from "./page-world.ts";
import { drawn, until } from "./until.ts";

const paragraph = "The tests hold, and none of the old ones went. ";

function history(count: number): readonly ExportedMessage[] {
  return Array.from({ length: count }, (_, index) =>
    index % 2 === 0
      ? saidMessage("user", `Question ${index}`)
      : saidMessage("assistant", `Answer ${index}\n\n${paragraph.repeat(1 + ((index * 7) % 23))}`),
  );
}

async function openLong(world: PageWorld, count: number): Promise<Page> {
  const messages = history(count);
  const id = await world.importConversation("Long", messages);
  const page = await world.signIn();
  await page.goto(`${world.host.url}/#/conversations/${id}`);
  await message(page, count - 1).waitFor();
  return page;
}

function message(page: Page, index: number): Locator {
  const text = index % 2 === 0 ? `Question ${index}` : `Answer ${index}`;
  return page.locator("article").filter({ has: page.getByText(text, { exact: true }) });
}

async function drawnCount(page: Page): Promise<number> {
  return page.locator("article").count();
}

async function scrollTo(page: Page, place: "begin" | "end" | number): Promise<void> {
  const top = { begin: "0", end: "box.scrollHeight" }[place] ?? `box.scrollTop + (${place})`;
  await page.evaluate(`{ const box = document.querySelector(".messages"); box.scrollTop = ${top}; }`);
  await drawn(page);
}

const placeSchema = z.object({ text: z.string(), top: z.number() });

async function firstSeen(page: Page): Promise<z.infer<typeof placeSchema>> {
  const found = await page.evaluate(`{
    const box = document.querySelector(".messages").getBoundingClientRect();
    const first = [...document.querySelectorAll("article")].find((one) => one.getBoundingClientRect().top > box.top);
    ({ text: first.textContent.slice(0, 40), top: first.getBoundingClientRect().top });
  }`);
  return placeSchema.parse(found);
}

test("[page-long] only messages near the viewport are rendered, and each can be reached", async (hosts) => {
  const world = await hosts.start();
  const page = await openLong(world, 1_000);
  const atFirst = await drawnCount(page);
  const numbers = new Set<string>();
  let most = 0;
  for (let count = 0; count < 2_000 && !numbers.has("Question 0"); count += 1) {
    const texts = await page.locator("article").allTextContents();
    for (const text of texts) numbers.add(/(?:Question|Answer) \d+/.exec(text)?.[0] ?? "");
    most = Math.max(most, texts.length);
    await scrollTo(page, -600);
  }

  expect(atFirst).toBeLessThan(60);
  expect(most).toBeLessThan(80);
  expect(numbers.size).toBe(1_000);
  await page.getByRole("button", { name: "Show earlier messages" }).waitFor({ state: "detached" });
});

test("[page-long] the reading position is stable while older messages load and a reply grows", async (hosts) => {
  const world = await hosts.start();
  const page = await openLong(world, 400);
  world.model.enqueue({ kind: "text", chunks: Array.from({ length: 40 }, () => `${paragraph}\n\n`), gate: true });
  await page.getByRole("textbox", { name: "Message" }).fill("Go on");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Stop" }).waitFor();
  await scrollTo(page, -4_000);
  const before = await firstSeen(page);
  for (let count = 0; count < 20; count += 1) world.model.release();
  await until(page, `document.querySelector("[data-live][aria-busy]").textContent.length > 800`);
  await drawn(page);
  const whileGrowing = await firstSeen(page);
  await page.evaluate('document.querySelector(".messages").scrollTop = 600');
  await drawn(page);
  const near = await firstSeen(page);
  await page.getByRole("button", { name: "Show earlier messages" }).waitFor({ state: "visible" });
  await until(page, 'document.querySelector(".messages").scrollTop > 3000');
  await drawn(page);
  const afterOlder = await firstSeen(page);
  for (let count = 0; count < 30; count += 1) world.model.release();
  await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
  await drawn(page);
  const afterEnd = await firstSeen(page);

  expect(whileGrowing.text).toBe(before.text);
  expect(Math.abs(whileGrowing.top - before.top)).toBeLessThan(2);
  expect(afterOlder.text).toBe(near.text);
  expect(Math.abs(afterOlder.top - near.top)).toBeLessThan(2);
  expect(afterEnd.text).toBe(near.text);
  expect(Math.abs(afterEnd.top - near.top)).toBeLessThan(2);
});

test("[page-long] a button leads to the newest message, and scrolling back stops following", async (hosts) => {
  const world = await hosts.start();
  const page = await openLong(world, 300);
  const isThere = await page.getByRole("button", { name: "Jump to the newest" }).count();
  await scrollTo(page, -20);
  await page.getByRole("button", { name: "Jump to the newest" }).waitFor();
  await scrollTo(page, "begin");
  await message(page, 299).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Jump to the newest" }).click();
  await message(page, 299).waitFor();
  const leftPx = await page.evaluate(
    '{ const box = document.querySelector(".messages"); box.scrollHeight - box.scrollTop - box.clientHeight; }',
  );
  await page.getByRole("button", { name: "Jump to the newest" }).waitFor({ state: "detached" });

  expect(isThere).toBe(0);
  expect(Number(leftPx)).toBeLessThan(2);
});

test("[page-long] reading at the end survives zoom, and the wheel stops following a growing reply", async (hosts) => {
  const world = await hosts.start();
  const page = await openLong(world, 300);
  const zoomed: boolean[] = [];
  for (const percents of [[200], [60, 190], [60, 150], [100]]) {
    await page.evaluate(`for (const percent of [${percents.join(", ")}]) {
      document.documentElement.style.fontSize = percent + "%";
      document.querySelector(".messages").scrollHeight;
    }`);
    await drawn(page);
    await drawn(page);
    zoomed.push((await page.getByRole("button", { name: "Jump to the newest" }).count()) === 0);
  }
  world.model.enqueue({ kind: "text", chunks: Array.from({ length: 10 }, () => `${paragraph}\n\n`), gate: true });
  await page.getByRole("textbox", { name: "Message" }).fill("Go on");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Stop" }).waitFor();
  await page.locator(".messages").hover();
  await page.mouse.wheel(0, -400);
  for (let count = 0; count < 12; count += 1) world.model.release();
  await page.getByRole("button", { name: "Jump to the newest" }).waitFor();
  await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });

  expect(zoomed).toEqual([true, true, true, true]);
});

test("[page-long] keyboard navigation reaches every message, with positions for screen readers", async (hosts) => {
  const world = await hosts.start();
  const page = await openLong(world, 1_000);
  await page.getByRole("textbox", { name: "Message" }).focus();
  for (let guard = 0; guard < 5; guard += 1) {
    if ((await page.evaluate("document.activeElement.tagName")) === "ARTICLE") break;
    await page.keyboard.press("Shift+Tab");
  }
  const first = String(await page.evaluate("document.activeElement.textContent"));
  const places: string[] = [];
  for (let index = 998; index >= 879; index -= 1) {
    await page.keyboard.press("PageUp");
    // Waits for each message, since those from the host take a moment.
    await until(page, `/(?:Question|Answer) ${index}(?!\\d)/.test(document.activeElement.textContent)`);
  }
  const reached = String(await page.evaluate("document.activeElement.textContent"));
  for (const name of ["aria-posinset", "aria-setsize"])
    places.push(String(await page.evaluate(`document.activeElement.getAttribute("${name}")`)));
  await page.keyboard.press("PageDown");
  await until(page, 'document.activeElement.textContent.includes("Question 880")');
  const back = String(await page.evaluate("document.activeElement.textContent"));

  expect(first).toContain("Answer 999");
  expect(reached).toContain("Answer 879");
  expect(back).toContain("Question 880");
  expect(places[1]).toBe("-1");
  expect(await page.getByRole("feed").count()).toBe(1);
});

test("[page-long] folds and selection survive scrolling elsewhere", async (hosts) => {
  const world = await hosts.start();
  const messages = [
    saidMessage("user", "Look"),
    {
      role: "assistant",
      parts: [{ type: "tool-call", toolCallId: "c", name: "read_file", input: '{"path":"a"}' }],
    } as const,
    {
      role: "tool",
      parts: [{ type: "tool-result", toolCallId: "c", name: "read_file", output: "the file", isError: false }],
    } as const,
    ...history(90),
  ];
  const id = await world.importConversation("Tools", messages);
  const page = await world.signIn();
  await page.goto(`${world.host.url}/#/conversations/${id}`);
  await message(page, 89).waitFor();
  await scrollTo(page, "begin");
  await page.getByText("Tool read_file").click();
  await page.getByText("the file", { exact: true }).waitFor();
  await scrollTo(page, "end");
  await message(page, 89).waitFor();
  await scrollTo(page, "begin");

  await page.getByText("the file", { exact: true }).waitFor();

  expect(await drawnCount(page)).toBeLessThan(60);
});
