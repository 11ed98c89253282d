import { expect, test } from "bun:test";
import { openTelegram } from "./testing/telegram-world.ts";

test("showProgress updates a draft at intervals and starts a new draft after each message", async () => {
  await using world = await openTelegram({ isReceiving: false });
  const { server, channel, clock, signal } = world;
  const chat = String(server.person().chatId);

  await channel.showProgress?.(chat, "One", signal);
  await channel.showProgress?.(chat, "One two", signal);
  await clock.advance(1_000);
  await channel.showProgress?.(chat, `${"x".repeat(5_000)} end`, signal);
  await channel.send(chat, { kind: "text", text: "Done", buttons: [], replyTo: undefined }, signal);
  await channel.showProgress?.(chat, "Next", signal);

  const [first, long, next] = server.drafts;
  expect(server.drafts).toHaveLength(3);
  expect(first?.text).toBe("One");
  expect(long?.text).toEndWith("x end");
  expect(long?.draftId).toBe(first?.draftId ?? 0);
  expect(next?.draftId).not.toBe(first?.draftId ?? 0);
});

test("showProgress shows typing in groups and where drafts are unsupported", async () => {
  await using world = await openTelegram({ isReceiving: false });
  const { server, channel, clock, signal } = world;
  const group = server.group();
  const ada = server.person();
  server.fail("sendMessageDraft", { kind: "refuse", status: 404, description: "Not Found: method not found" });

  await channel.showProgress?.(String(group.chat.id), "One", signal);
  await channel.showProgress?.(String(ada.chatId), "One", signal);
  await clock.advance(4_000);
  await channel.showProgress?.(String(ada.chatId), "One two", signal);

  expect(server.callsOf("sendChatAction").map(({ parameters }) => parameters["chat_id"])).toEqual([
    group.chat.id,
    ada.chatId,
  ]);
  expect(server.drafts).toEqual([]);
});

test("showProgress pauses while rate-limited and never rejects", async () => {
  await using world = await openTelegram({ isReceiving: false });
  const { server, channel, clock, signal } = world;
  const chat = String(server.person().chatId);
  server.fail("sendMessageDraft", {
    kind: "refuse",
    status: 429,
    description: "Too Many Requests",
    retryAfterS: 30,
  });

  await channel.showProgress?.(chat, "One", signal);
  await clock.advance(29_000);
  await channel.showProgress?.(chat, "One two", signal);
  expect(server.calls).toHaveLength(1);
  await clock.advance(1_000);
  await channel.showProgress?.(chat, "One two three", signal);

  expect(server.drafts.map(({ text }) => text)).toEqual(["One two three"]);
});
