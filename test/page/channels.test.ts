import { RecordingBotServer } from "@incipit/testkit";
import { expect } from "bun:test";
import { test } from "./page-test.ts";

test("[page-channels] the page pairs a person by code, lists sent messages and resends unknown ones", async (hosts) => {
  await using bot = new RecordingBotServer();
  const world = await hosts.start({
    config: `[channels.telegram]\nenabled = true\napi_root = "${bot.url}"\n`,
    env: { TELEGRAM_BOT_TOKEN: bot.token },
  });
  const ada = bot.person({ name: "Ada <b>L</b>" });
  const page = await world.signIn();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Channels" }).click();
  const telegram = page.getByRole("article", { name: "telegram" });
  await telegram.getByText("Connected", { exact: true }).waitFor();
  await telegram.getByText("No one yet.").waitFor();
  await telegram.getByRole("button", { name: "Pair a person" }).click();
  const code = (await telegram.getByRole("region", { name: "Code" }).locator("code").textContent()) ?? "";
  ada.says(code);
  await telegram.getByText("Ada <b>L</b>", { exact: true }).waitFor();
  world.model.enqueue({ kind: "text", chunks: ["Four."] });
  ada.says("Two and two?");
  await bot.waitFor(({ sent }) => sent.length === 2);
  world.model.enqueue({ kind: "text", chunks: ["Six."] });
  bot.fail("sendMessage", { kind: "cut", isTaken: false });
  ada.says("And three and three?");
  await telegram.getByText("1 message", { exact: true }).waitFor();
  await telegram.getByText("Sent messages").click();
  const unknown = telegram.getByRole("listitem").filter({ hasText: "Delivery unknown" });
  const texts = await unknown.textContent();
  await unknown.getByRole("button", { name: "Resend" }).click();
  await telegram.getByText("Resent by a person.").waitFor();
  await bot.waitFor(({ sent }) => sent.length === 3);
  await telegram.getByRole("button", { name: "Remove Ada <b>L</b>…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await telegram.getByText("No one yet.").waitFor();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Conversations" }).click();
  await page.getByRole("link", { name: /Ada .*\(telegram\)/ }).click();
  await page.getByText("And three and three?").waitFor();
  world.model.enqueue({ kind: "text", chunks: ["From the page."] });
  await page.getByRole("textbox", { name: "Message" }).fill("Go on");
  await page.keyboard.press("Enter");
  await page.getByText("From the page.").waitFor();

  expect(code).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/);
  expect(texts).toContain("Six.");
  expect(bot.sent.slice(1).map(({ text }) => text)).toEqual(["Four.", "Six."]);
});

test("[page-channels] a host without a channel explains how to add one", async (hosts) => {
  const { world, page } = await hosts.open();
  await page.goto(`${world.host.url}/#/channels`);
  await page.getByText("No channels.").waitFor();
  const lines = (await page.locator("main pre").textContent()) ?? "";
  await using bot = new RecordingBotServer();
  const next = await hosts.start({
    config: `${lines}\napi_root = "${bot.url}"\n`,
    env: { TELEGRAM_BOT_TOKEN: bot.token },
  });
  const after = await next.signIn();
  await after.goto(`${next.host.url}/#/channels`);
  await after.getByRole("article", { name: "telegram" }).getByText("Connected", { exact: true }).waitFor();
});
