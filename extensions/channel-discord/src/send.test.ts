import type { ChannelDelivery, ChannelMessage } from "@incipit/service-contract";
import type { DiscordFault } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { openDiscord, type DiscordWorld } from "./testing/discord-world.ts";

const route = "POST /channels/:id/messages";

function text(markdown: string, more: Partial<Extract<ChannelMessage, { kind: "text" }>> = {}): ChannelMessage {
  return { kind: "text", text: markdown, buttons: [], replyTo: undefined, ...more };
}

async function sent(world: DiscordWorld, chatId: string, message: ChannelMessage): Promise<ChannelDelivery> {
  let delivery: ChannelDelivery | undefined;
  void world.channel.send(chatId, message, world.signal).then((one) => (delivery = one));
  while (delivery === undefined) await world.pass(100);
  return delivery;
}

test("send posts text unchanged with buttons and a reply, without previews or mentions", async () => {
  await using world = await openDiscord({ isReceiving: false });
  const ada = world.server.person();
  const question = ada.says("How?");
  const labels = ["Yes", "No", "Always for this conversation", "Four", "Five", "Six"];
  const buttons = labels.map((label, index) => ({ id: `b${index}`, label }));

  const delivery = await sent(
    world,
    ada.user.id,
    text("**So** it is, @everyone", { buttons, replyTo: question.id }),
  );

  const [reply] = ada.replies;
  expect(delivery).toEqual({ kind: "sent", messageId: String(reply?.id) });
  expect(reply).toMatchObject({
    content: "**So** it is, @everyone",
    referenced_message: { content: "How?" },
    flags: 4,
  });
  expect(reply?.components.map(({ components }) => components.map(({ custom_id: id }) => id))).toEqual([
    ["b0", "b1", "b2", "b3", "b4"],
    ["b5"],
  ]);
  expect(world.server.callsOf(route)[0]?.body).toMatchObject({ allowed_mentions: { parse: [] } });
});

test("send posts to channels and threads, also when the replied-to message is deleted", async () => {
  await using world = await openDiscord({ isReceiving: false });
  const channel = world.server.channel();
  const thread = world.server.thread(channel);
  const ada = world.server.person();

  await sent(world, `${channel.guild_id}/${channel.id}`, text("here", { replyTo: "7" }));
  await sent(world, `${channel.guild_id}/${channel.id}/${thread.id}`, text("there"));

  expect(ada.in(channel).replies.map(({ content }) => content)).toEqual(["here"]);
  expect(ada.in(thread).replies.map(({ content }) => content)).toEqual(["there"]);
});

test("send opens a private chat's channel once", async () => {
  await using world = await openDiscord({ isReceiving: false });
  const ada = world.server.person();

  for (const one of ["one", "two"]) await sent(world, ada.user.id, text(one));

  expect(world.server.callsOf("POST /users/@me/channels")).toHaveLength(1);
  expect(ada.replies).toHaveLength(2);
});

test("send uploads a file's exact bytes under a name without folders", async () => {
  await using world = await openDiscord({ isReceiving: false });
  const ada = world.server.person();
  const bytes = new Uint8Array([0, 255, 13, 10, 45, 45, 128]);

  const delivery = await sent(world, ada.user.id, {
    kind: "file",
    name: 'a "b";é\n/../.bin',
    mediaType: "application/pdf",
    bytes,
  });

  const [file] = ada.replies[0]?.attachments ?? [];
  expect(delivery.kind).toBe("sent");
  expect(file).toMatchObject({ filename: "a _b__é__.._.bin" });
  expect(file === undefined ? undefined : world.server.bytesOf(file)).toEqual(bytes);
});

test("send waits out a rate limit for its channel, or for all under a global limit", async () => {
  await using world = await openDiscord({ isReceiving: false });
  const { server } = world;
  const [ada, bob] = [server.person(), server.person()];
  const limited = { kind: "refuse", status: 429, code: 0, message: "You are being rate limited." } as const;
  for (const { user } of [ada, bob]) await sent(world, user.id, text("first"));
  server.fail(route, { ...limited, retryAfterS: 7 }, { ...limited, retryAfterS: 9, isGlobal: true });

  expect(await sent(world, ada.user.id, text("x"))).toMatchObject({ kind: "later", afterMs: 7_000 });
  expect(await sent(world, ada.user.id, text("x"))).toMatchObject({ kind: "later" });
  expect(await sent(world, bob.user.id, text("x"))).toMatchObject({ kind: "later", afterMs: 9_000 });
  expect(server.callsOf(route)).toHaveLength(4);
  await world.clock.advance(9_000);

  expect(await sent(world, ada.user.id, text("now"))).toMatchObject({ kind: "sent" });
});

const cut = (isTaken: boolean): DiscordFault => ({ kind: "cut", isTaken });
const outcomes: readonly (readonly [
  string,
  readonly DiscordFault[],
  object,
  { readonly calls: number; readonly taken: number },
])[] = [
  ["an answer that was lost is had by asking again", [cut(true)], { kind: "sent" }, { calls: 2, taken: 1 }],
  ["what never came is given again", [cut(false)], { kind: "sent" }, { calls: 2, taken: 1 }],
  [
    "a gateway in between is asked again",
    [{ kind: "gateway", status: 502 }],
    { kind: "sent" },
    { calls: 2, taken: 1 },
  ],
  [
    "answers that are lost three times are unknown",
    [cut(true), cut(true), cut(true)],
    { kind: "unknown" },
    { calls: 3, taken: 1 },
  ],
  [
    "a refusal behind a lost answer says nothing about it",
    [cut(true), { kind: "refuse", status: 403, code: 50_001, message: "Missing Access" }, cut(false)],
    { kind: "unknown" },
    { calls: 3, taken: 1 },
  ],
  [
    "403 has failed, in the service's words",
    [{ kind: "refuse", status: 403, code: 50_007, message: "Cannot send messages to this user" }],
    { kind: "failed", why: "Discord answers 403: Cannot send messages to this user (50007)" },
    { calls: 1, taken: 0 },
  ],
];

for (const [name, faults, expected, { calls, taken }] of outcomes)
  test(`send: ${name}, and it arrives at most once`, async () => {
    await using world = await openDiscord({ isReceiving: false });
    const ada = world.server.person();
    world.server.fail(route, ...faults);

    const delivery = await sent(world, ada.user.id, text("**once**"));

    expect(delivery).toMatchObject(expected);
    expect(world.server.callsOf(route)).toHaveLength(calls);
    expect(world.server.nonces.size).toBe(1);
    expect(ada.replies).toHaveLength(taken);
    expect(JSON.stringify([delivery, world.started.logs])).not.toContain(world.server.token.slice(-20));
  });

test("send reports failures without the token, even when Discord echoes it", async () => {
  await using world = await openDiscord({ isReceiving: false });
  const { server } = world;
  server.fail(route, { kind: "refuse", status: 400, code: 50_035, message: `Bot ${server.token} may not` });

  expect(await sent(world, server.person().user.id, text("once"))).toEqual({
    kind: "failed",
    why: "Discord answers 400: Bot [token] may not (50035)",
  });
});

test("send retries later when unreachable or unauthorized, and fails for an invalid chat id", async () => {
  await using world = await openDiscord({ isReceiving: false });
  const { server } = world;
  const ada = server.person();

  server.revokeToken();
  expect(await sent(world, ada.user.id, text("x"))).toMatchObject({ kind: "later", afterMs: 60_000 });
  await server.goDown();
  const unreached = await sent(world, ada.user.id, text("x"));
  expect(unreached).toMatchObject({ kind: "later", why: expect.stringContaining("ECONNREFUSED") });
  expect(JSON.stringify(unreached)).not.toContain(server.token.slice(-20));
  for (const chat of ["somewhere", "1/2/3/4", "../1", "0"])
    expect(await sent(world, chat, text("x"))).toMatchObject({ kind: "failed" });
});

test("send names the field that Discord rejected", async () => {
  await using world = await openDiscord({ isReceiving: false });

  expect(await sent(world, world.server.person().user.id, text("x".repeat(2_001)))).toEqual({
    kind: "failed",
    why: "Discord answers 400: Invalid Form Body: content Must be 2000 or fewer in length. (50035)",
  });
});

test("send fails for an unknown recipient", async () => {
  await using world = await openDiscord({ isReceiving: false });

  expect(await sent(world, "4242", text("x"))).toMatchObject({
    kind: "failed",
    why: expect.stringContaining("50033"),
  });
});

test("showProgress shows typing at intervals, and immediately after a message", async () => {
  await using world = await openDiscord({ isReceiving: false });
  const { server, channel, clock, signal } = world;
  const ada = server.person();
  const typed = (): number => server.callsOf("POST /channels/:id/typing").length;

  await channel.showProgress?.(ada.user.id, "One", signal);
  await channel.showProgress?.(ada.user.id, "One two", signal);
  expect(typed()).toBe(1);
  await clock.advance(8_000);
  await channel.showProgress?.(ada.user.id, "One two three", signal);
  await sent(world, ada.user.id, text("Done"));
  await channel.showProgress?.(ada.user.id, "Next", signal);
  await channel.showProgress?.("nowhere", "Next", signal);
  server.fail("POST /channels/:id/typing", { kind: "gateway", status: 502 });
  await clock.advance(8_000);
  await channel.showProgress?.(ada.user.id, "Next", signal);

  expect(typed()).toBe(4);
});

test("send posts to the parent channel when a thread is gone", async () => {
  await using world = await openDiscord({ isReceiving: false });
  const channel = world.server.channel();
  const ada = world.server.person();
  const thread = `${channel.guild_id}/${channel.id}/77`;

  const delivery = await sent(world, thread, text("**once**", { replyTo: "7" }));
  const elsewhere = await sent(world, `${channel.guild_id}/77`, text("nowhere"));

  expect(delivery).toMatchObject({ kind: "sent" });
  expect(ada.in(channel).replies.map(({ content }) => content)).toEqual(["**once**"]);
  expect(elsewhere).toMatchObject({ kind: "failed" });
});
