import type { ChannelDelivery, ChannelMessage } from "@incipit/service-contract";
import type { BotFault } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { openTelegram, type TelegramWorld } from "./testing/telegram-world.ts";

function text(markdown: string, more: Partial<Extract<ChannelMessage, { kind: "text" }>> = {}): ChannelMessage {
  return { kind: "text", text: markdown, buttons: [], replyTo: undefined, ...more };
}

async function sent(
  { channel, signal }: TelegramWorld,
  chatId: number | string,
  message: ChannelMessage,
): Promise<ChannelDelivery> {
  return channel.send(String(chatId), message, signal);
}

test("send posts formatted text with buttons and a reply, without link previews", async () => {
  await using world = await openTelegram({ isReceiving: false });
  const ada = world.server.person();
  const question = ada.says("How?");
  const buttons = ["Yes", "No", "Always for this conversation"].map((label, index) => ({ id: `b${index}`, label }));

  const delivery = await sent(
    world,
    ada.chatId,
    text("**So** it is", { buttons, replyTo: String(question.message_id) }),
  );

  const [reply] = ada.replies;
  expect(delivery).toEqual({ kind: "sent", messageId: String(reply?.message_id) });
  expect(reply).toMatchObject({
    text: "So it is",
    entities: [{ type: "bold", offset: 0, length: 2 }],
    reply_to_message: { text: "How?" },
    reply_markup: { inline_keyboard: [[{ text: "Yes" }, { text: "No" }], [{ callback_data: "b2" }]] },
  });
  expect(world.server.calls[0]?.parameters["link_preview_options"]).toEqual({ is_disabled: true });
});

test("send posts to a topic, also when the replied-to message is deleted", async () => {
  await using world = await openTelegram({ isReceiving: false });
  const topic = world.server.topic(world.server.group({ isForum: true }));
  const there = world.server.person().in(topic);

  const delivery = await sent(world, `${there.chatId}/${topic.threadId}`, text("here", { replyTo: "7" }));

  expect(delivery.kind).toBe("sent");
  expect(there.replies).toMatchObject([{ text: "here", message_thread_id: topic.threadId }]);
});

test("send uploads photos, voice, audio, video and documents as their kind, byte for byte", async () => {
  await using world = await openTelegram({ isReceiving: false });
  const { server } = world;
  const ada = server.person();
  const bytes = new Uint8Array([0, 255, 13, 10, 45, 45, 128]);

  for (const mediaType of ["image/png", "audio/ogg", "audio/mpeg", "video/mp4", "application/pdf"])
    expect(await sent(world, ada.chatId, { kind: "file", name: 'a "b";é\n.bin', mediaType, bytes })).toMatchObject({
      kind: "sent",
    });

  expect(server.calls.map(({ method }) => method)).toEqual([
    "sendPhoto",
    "sendVoice",
    "sendAudio",
    "sendVideo",
    "sendDocument",
  ]);
  for (const { files } of server.calls) expect([...files.values()][0]?.bytes).toEqual(bytes);
  expect(ada.replies.at(-1)?.document?.file_name).toBe("a _b__é_.bin");
});

test("send reports failures without the token, even when Telegram echoes it", async () => {
  await using world = await openTelegram({ isReceiving: false });
  const { server } = world;
  const description = `Forbidden: bot${server.token} may not`;
  server.fail("sendMessage", { kind: "refuse", status: 403, description });

  expect(await sent(world, server.person().chatId, text("once"))).toEqual({
    kind: "failed",
    why: "Telegram answers 403: Forbidden: bot[token] may not",
  });
});

test("send falls back to a document for a rejected photo", async () => {
  await using world = await openTelegram({ isReceiving: false });
  const ada = world.server.person();
  world.server.fail("sendPhoto", {
    kind: "refuse",
    status: 400,
    description: "Bad Request: PHOTO_INVALID_DIMENSIONS",
  });
  const bytes = new Uint8Array([1]);

  expect(
    await sent(world, ada.chatId, { kind: "file", name: "a.png", mediaType: "image/png", bytes }),
  ).toMatchObject({
    kind: "sent",
  });
  expect(ada.replies).toMatchObject([{ document: { file_name: "a.png" } }]);
});

const outcomes: readonly (readonly [string, BotFault, object, number])[] = [
  [
    "429 is later, with the wait that is asked for",
    { kind: "refuse", status: 429, description: "Too Many Requests", retryAfterS: 7 },
    { kind: "later", afterMs: 7_000 },
    0,
  ],
  ["a connection that ends behind the message is unknown", { kind: "cut", isTaken: true }, { kind: "unknown" }, 1],
  ["a connection that ends before it is unknown, too", { kind: "cut", isTaken: false }, { kind: "unknown" }, 0],
  ["an answer of a gateway is unknown", { kind: "gateway", status: 502 }, { kind: "unknown" }, 0],
  [
    "404 is later, as a token that was mistyped gets it",
    { kind: "refuse", status: 404, description: "Not Found" },
    { kind: "later", afterMs: 60_000 },
    0,
  ],
  [
    "403 has failed, in the service's words",
    { kind: "refuse", status: 403, description: "Forbidden: bot was blocked by the user" },
    { kind: "failed", why: "Telegram answers 403: Forbidden: bot was blocked by the user" },
    0,
  ],
  ["500 is unknown", { kind: "refuse", status: 500, description: "Internal Server Error" }, { kind: "unknown" }, 0],
];

for (const [name, fault, expected, taken] of outcomes)
  test(`send: ${name}, and nothing is sent twice`, async () => {
    await using world = await openTelegram({ isReceiving: false });
    const ada = world.server.person();
    world.server.fail("sendMessage", fault);

    const delivery = await sent(world, ada.chatId, text("**once**"));

    expect(delivery).toMatchObject(expected);
    expect(world.server.calls).toHaveLength(1);
    expect(ada.replies).toHaveLength(taken);
    expect(JSON.stringify([delivery, world.started.logs])).not.toContain(world.server.token.slice(-20));
  });

test("send retries later when unreachable or unauthorized, and fails for an invalid chat id", async () => {
  await using world = await openTelegram({ isReceiving: false });
  const ada = world.server.person();

  world.server.revokeToken();
  expect(await sent(world, ada.chatId, text("x"))).toMatchObject({ kind: "later", afterMs: 60_000 });
  await world.server.goDown();
  const unreached = await sent(world, ada.chatId, text("x"));
  expect(unreached).toMatchObject({ kind: "later", why: expect.stringContaining("ECONNREFUSED") });
  expect(JSON.stringify(unreached)).not.toContain(world.server.token.slice(-20));
  expect(await sent(world, "somewhere", text("x"))).toMatchObject({ kind: "failed" });
});

test("send reports an unknown outcome when the response times out", async () => {
  await using world = await openTelegram({ isReceiving: false });
  const ada = world.server.person();
  world.server.fail("sendMessage", { kind: "hold" });
  const delivery = sent(world, ada.chatId, text("x"));
  await world.server.waitFor(({ held }) => held === 1);

  await world.clock.advance(60_000);

  expect(await delivery).toEqual({ kind: "unknown", why: "there was no answer within 60 s" });
});

test("send retries without formatting when Telegram rejects the entities", async () => {
  await using world = await openTelegram({ isReceiving: false });
  const ada = world.server.person();
  world.server.fail("sendMessage", {
    kind: "refuse",
    status: 400,
    description: "Bad Request: can't parse entities",
  });

  expect(await sent(world, ada.chatId, text("**b**"))).toMatchObject({ kind: "sent" });
  expect(ada.replies.map(({ text: said }) => said)).toEqual(["**b**"]);
});

test("send follows a group's migration to a supergroup, without the reply", async () => {
  await using world = await openTelegram({ isReceiving: false });
  const { server } = world;
  const group = server.group();
  const there = server.person().in(group);
  const other = there.says("In the supergroup");
  server.fail("sendMessage", {
    kind: "refuse",
    status: 400,
    description: "Bad Request: group chat was upgraded to a supergroup chat",
    migrateToChatId: group.chat.id,
  });

  const delivery = await sent(world, -4_242, text("**once**", { replyTo: String(other.message_id) }));

  expect(delivery).toMatchObject({ kind: "sent" });
  expect(there.replies).toMatchObject([{ text: "once" }]);
  expect(there.replies[0]?.reply_to_message).toBeUndefined();
  expect(server.calls).toHaveLength(2);
});

test("send posts to the main chat when a topic is gone", async () => {
  await using world = await openTelegram({ isReceiving: false });
  const { server } = world;
  const there = server.person().in(server.group());
  const message = text("**once**", { replyTo: String(there.says("In the topic").message_id) });
  const file = { kind: "file", name: "a.txt", mediaType: "text/plain", bytes: new Uint8Array([1]) } as const;

  expect(await sent(world, `${there.chatId}/77`, message)).toMatchObject({ kind: "sent" });
  expect(await sent(world, `${there.chatId}/77`, file)).toMatchObject({ kind: "sent" });

  expect(there.replies).toMatchObject([{ text: "once", entities: [{ type: "bold" }] }, { document: {} }]);
  expect(there.replies[0]?.reply_to_message).toBeUndefined();
});
