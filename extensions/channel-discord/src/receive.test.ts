import { createMemoryStorage, FakeClock, type RecordingDiscordServer } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { discordAt, openDiscord } from "./testing/discord-world.ts";

const secret = (server: RecordingDiscordServer): string => server.token.slice(-20);

function greetings({ gateway }: RecordingDiscordServer): readonly number[] {
  return gateway.frames.map(({ op }) => op).filter((op) => op !== 1);
}

test("run delivers messages with sender and chat, and reports the account", async () => {
  await using world = await openDiscord();
  const { server, inbox } = world;
  const ada = server.person({ name: "Ada" });

  ada.says("hello");
  await inbox.waitFor(({ updates }) => updates.length > 0);

  expect(inbox.updates).toEqual([
    {
      updateId: expect.stringMatching(/^\d+$/),
      chat: { id: ada.user.id, kind: "private", title: "Ada" },
      sender: { id: ada.user.id, name: "Ada" },
      kind: "message",
      messageId: expect.stringMatching(/^\d+$/),
      text: "hello",
      files: [],
      isAddressed: false,
      quoted: undefined,
    },
  ]);
  expect(inbox.reports).toEqual([{ kind: "up", account: "@incipit_test" }]);
});

test("run delivers missed messages of chats, channels and threads once, oldest first", async () => {
  const clock = new FakeClock();
  await using server = discordAt(clock);
  const storage = createMemoryStorage();
  const [ada, bob, eve] = [
    server.person({ name: "Ada" }),
    server.person({ name: "Bob" }),
    server.person({ name: "Eve" }),
  ];
  const [team, quiet] = [server.channel(), server.channel()];
  const thread = server.thread(team);
  const config = { people: [bob.user.id], groups: [team.guild_id, `${quiet.guild_id}/${quiet.id}`] };
  const name = `<@${server.bot.id}>`;
  {
    await using first = await openDiscord({ server, clock, storage, config });
    await server.waitFor(({ gateway }) => gateway.isConnected);
    ada.says("known");
    ada.in(thread).says(`${name} known, too`);
    await first.inbox.waitFor(({ updates }) => updates.length === 2);
  }
  await clock.advance(3_600_000);
  ada.says("one");
  ada.says("two");
  ada.in(thread).says(`${name} three`);
  ada.in(quiet).says(`${name} four`);
  bob.says("five");
  eve.says("six");

  await using second = await openDiscord({ server, clock, storage, config });
  await second.inbox.waitFor(({ updates }) => updates.length >= 5);
  // Unknown people are read from their next message on.
  eve.says("seven");
  await second.inbox.waitFor(({ texts }) => texts.includes("seven"));

  const ofChat = (id: string): readonly string[] =>
    second.inbox.updates.flatMap((update) =>
      update.kind === "message" && update.chat.id === id ? [update.text] : [],
    );
  expect(ofChat(ada.user.id)).toEqual(["one", "two"]);
  expect(ofChat(`${team.guild_id}/${team.id}/${thread.id}`)).toEqual(["three"]);
  expect(ofChat(`${quiet.guild_id}/${quiet.id}`)).toEqual(["four"]);
  expect(ofChat(bob.user.id)).toEqual(["five"]);
  expect(ofChat(eve.user.id)).toEqual(["six", "seven"]);
});

test("run skips messages older than a day and forgets deleted channels", async () => {
  const clock = new FakeClock();
  await using server = discordAt(clock);
  const storage = createMemoryStorage();
  const [ada, bob] = [server.person({ name: "Ada" }), server.person({ name: "Bob" })];
  {
    await using first = await openDiscord({ server, clock, storage });
    await server.waitFor(({ gateway }) => gateway.isConnected);
    ada.says("known");
    bob.says("known");
    await first.inbox.waitFor(({ updates }) => updates.length === 2);
  }
  ada.says("long ago");
  await clock.advance(24 * 3_600_000 + 1_000);
  ada.says("lately");
  server.fail("GET /channels/:id/messages", {
    kind: "refuse",
    status: 404,
    code: 10_003,
    message: "Unknown Channel",
  });

  await using second = await openDiscord({ server, clock, storage });
  await second.inbox.waitFor(({ updates }) => updates.length > 0);

  expect(second.inbox.texts).toEqual(["lately"]);
});

test("run fetches nothing from servers that are not configured", async () => {
  const clock = new FakeClock();
  await using server = discordAt(clock);
  const storage = createMemoryStorage();
  const foreign = server.channel();
  const ada = server.person().in(foreign);
  const asked = (): number => server.callsOf("GET /channels/:id/messages").length;
  {
    await using first = await openDiscord({ server, clock, storage });
    await server.waitFor(({ gateway }) => gateway.isConnected);
    ada.says("only talk");
    ada.says(`<@${server.bot.id}> hello`);
    await first.inbox.waitFor(({ updates }) => updates.length > 0);
    expect(first.inbox.texts).toEqual(["hello"]);
  }
  ada.says(`<@${server.bot.id}> are you there?`);

  await using _second = await openDiscord({ server, clock, storage });
  await server.waitFor((one) => one.callsOf("GET /applications/:id/commands").length === 2);

  expect(asked()).toBe(0);
});

test("run resumes its session at the right sequence after a disconnect", async () => {
  await using world = await openDiscord();
  const { server, inbox } = world;
  const ada = server.person();
  ada.says("one");
  await inbox.waitFor(({ updates }) => updates.length === 1);

  for (const end of [
    () => server.gateway.drop(),
    () => server.gateway.drop(4_000),
    () => server.gateway.askReconnect(),
  ]) {
    end();
    await server.waitFor(({ gateway }) => !gateway.isConnected);
    ada.says("meanwhile");
    await world.advanceUntil(() => server.gateway.isConnected);
  }
  await inbox.waitFor(({ updates }) => updates.length === 4);

  expect(greetings(server)).toEqual([2, 6, 6, 6]);
  expect(server.gateway.frames.find(({ op }) => op === 6)?.d).toEqual({
    token: server.token,
    session_id: "session-1",
    seq: 2,
  });
  expect(server.connectedTo).toEqual(["/gateway", "/gateway/resumed", "/gateway/resumed", "/gateway/resumed"]);
  expect(inbox.texts).toEqual(["one", "meanwhile", "meanwhile", "meanwhile"]);
  expect(new Set(inbox.updates.map(({ updateId }) => updateId)).size).toBe(4);
  // Ordinary reconnects are not reported.
  expect(inbox.reports.every(({ kind }) => kind === "up")).toBe(true);
});

test("run identifies again after losing its session and fetches missed messages", async () => {
  await using world = await openDiscord();
  const { server, inbox } = world;
  const ada = server.person();
  ada.says("one");
  await inbox.waitFor(({ updates }) => updates.length === 1);
  server.gateway.forgetSessions();
  server.gateway.refusedSessions = 1;
  server.gateway.drop();
  await server.waitFor(({ gateway }) => !gateway.isConnected);
  ada.says("two");

  await world.advanceUntil(() => inbox.updates.length === 2);

  expect(greetings(server)).toEqual([2, 6, 2, 2]);
  expect(inbox.texts).toEqual(["one", "two"]);
});

test("run reports repeated session refusals and backs off", async () => {
  const clock = new FakeClock();
  await using server = discordAt(clock);
  server.gateway.refusedSessions = 6;
  await using world = await openDiscord({ server, clock });
  const begunMs = clock.now();

  await world.advanceUntil(() => world.inbox.reports.some(({ kind }) => kind === "up"));

  expect(world.inbox.reports[0]).toMatchObject({ kind: "down", why: expect.stringContaining("session") });
  expect(greetings(server)).toHaveLength(7);
  expect(clock.now() - begunMs).toBeGreaterThan(60_000);
});

test("run sends heartbeats at the requested interval and reconnects when one is unacknowledged", async () => {
  await using world = await openDiscord();
  const { server, clock, inbox } = world;
  const beats = (): number => server.gateway.frames.filter(({ op }) => op === 1).length;
  await inbox.waitFor(({ reports }) => reports.length > 0);
  await clock.advance(41_250);
  await server.waitFor(() => beats() === 1);
  server.gateway.askHeartbeat();
  await server.waitFor(() => beats() === 2);

  server.gateway.isDeaf = true;
  await world.advanceUntil(() => beats() === 3);
  server.gateway.isDeaf = false;
  await world.advanceUntil(() => server.gateway.connectionCount === 2 && server.gateway.isConnected);

  expect(greetings(server)).toEqual([2, 6]);
});

test("run keeps a connection whose heartbeats are acknowledged without other traffic", async () => {
  await using world = await openDiscord();
  const { server, inbox } = world;
  const beats = (): number => server.gateway.frames.filter(({ op }) => op === 1).length;
  await inbox.waitFor(({ reports }) => reports.length > 0);

  for (let count = 1; count <= 4; count += 1) {
    await world.advanceUntil(() => beats() === 2 * count - 1);
    server.gateway.askHeartbeat(); // Acknowledged after the previous heartbeat's acknowledgement.
    await server.waitFor(() => beats() === 2 * count);
  }

  expect(server.gateway.connectionCount).toBe(1);
});

test("run delivers a repeated event under the same id", async () => {
  await using world = await openDiscord();
  const { server, inbox } = world;
  const ada = server.person();
  const said = ada.says("once");
  ada.edits(said, "once, edited");
  await inbox.waitFor(({ updates }) => updates.length === 2);

  server.gateway.repeatEvents();
  await inbox.waitFor(({ updates }) => updates.length === 3);

  expect(new Set(inbox.updates.map(({ updateId }) => updateId)).size).toBe(2);
});

const finals: readonly (readonly [string, (server: RecordingDiscordServer) => void, RegExp])[] = [
  ["a token that is not known", (server) => server.revokeToken(), /rejects the token in DISCORD_BOT_TOKEN/],
  [
    "messages that it may not read",
    ({ gateway }) => {
      gateway.hasContentIntent = false;
      gateway.forgetSessions();
      gateway.drop();
    },
    /switch on "Message Content Intent"/,
  ],
];

for (const [what, goesWrong, said] of finals)
  test(`run reports how to fix ${what}, retries slowly, and recovers`, async () => {
    await using world = await openDiscord();
    const { server, inbox } = world;
    goesWrong(server);
    await world.advanceUntil(() => inbox.reports.some(({ kind }) => kind === "down"));
    const connections = server.gateway.connectionCount;

    await world.clock.advance(299_000);
    expect(server.gateway.connectionCount).toBe(connections);
    server.restoreToken();
    server.gateway.hasContentIntent = true;
    await world.advanceUntil(() => server.gateway.isConnected && inbox.reports.at(-1)?.kind === "up");

    expect(inbox.reports.find(({ kind }) => kind === "down")).toMatchObject({ why: expect.stringMatching(said) });
    expect(JSON.stringify([inbox.reports, world.started.logs])).not.toContain(secret(server));
  });

test("run does not exceed the daily limit of connections", async () => {
  const clock = new FakeClock();
  await using server = discordAt(clock);
  server.gateway.sessionsLeft = 0;
  await using world = await openDiscord({ server, clock });
  await world.inbox.waitFor(({ reports }) => reports.length === 1);

  await clock.advance(3_500_000);
  expect(server.gateway.connectionCount).toBe(0);
  server.gateway.sessionsLeft = 1_000;
  await world.advanceUntil(() => server.gateway.isConnected);

  expect(world.inbox.reports[0]).toMatchObject({ why: expect.stringContaining("connected too often") });
});

test("run honours rate-limit delays and rejects an endless response", async () => {
  const clock = new FakeClock();
  await using server = discordAt(clock);
  server.fail(
    "GET /gateway/bot",
    { kind: "flood" },
    {
      kind: "refuse",
      status: 429,
      code: 0,
      message: "You are being rate limited.",
      retryAfterS: 90,
      isGlobal: true,
    },
  );
  await using world = await openDiscord({ server, clock });
  await world.advanceUntil(() => server.callsOf("GET /gateway/bot").length === 2);

  for (let second = 0; second < 88; second += 1) await world.pass(1_000);
  expect(server.callsOf("GET /gateway/bot")).toHaveLength(2);
  await world.advanceUntil(() => server.gateway.isConnected);
});

test("run reads commands, mentions, replies, threads, edits and button presses", async () => {
  const clock = new FakeClock();
  await using server = discordAt(clock);
  const general = server.channel({ name: "general" });
  const thread = server.thread(general, "details");
  const other = server.channel();
  await using world = await openDiscord({ server, clock, config: { groups: [general.guild_id] } });
  const { inbox, channel, signal } = world;
  await server.waitFor(({ gateway, commands }) => gateway.isConnected && commands.length > 0);
  const ada = server.person({ name: "Ada" });
  const bob = server.person({ name: "Bob" });
  const there = ada.in(general);
  const chatId = `${general.guild_id}/${general.id}`;
  inbox.take = async (update) => (update.kind === "press" ? { answer: "Allowed." } : {});
  const buttons = [{ id: "yes-1", label: "Yes" }];
  await channel.send(chatId, { kind: "text", text: "Sure?", buttons, replyTo: undefined }, signal);
  const name = `<@${server.bot.id}>`;

  const command = there.runs("model", " openai/gpt ");
  ada.says("/new");
  there.says(`${name} /stop now`);
  const plain = there.says("only talk");
  there.says(`${name}, ask <@${bob.user.id}> what <@1> says`);
  const [question] = there.replies;
  if (question !== undefined) there.says("I mean this", { replyTo: question });
  ada.in(thread).says("in here");
  ada.in(other).says("of no concern");
  ada.in(other).says(`${name} hello`);
  await inbox.waitFor(({ texts }) => texts.includes("only talk"));
  there.edits(plain, "only talk, really");
  const press = there.presses("Yes");
  await server.waitFor(() => press.answer !== undefined && command.answer !== undefined);
  await inbox.waitFor(({ updates }) => updates.length === 10);

  const inOrder = inbox.updates.filter(({ chat }) => chat.id === chatId);
  expect(inOrder).toMatchObject([
    { kind: "command", name: "model", argument: "openai/gpt", chat: { kind: "group", title: "#general" } },
    { kind: "command", name: "stop", argument: "now" },
    { kind: "message", text: "only talk", isAddressed: false },
    { kind: "message", text: `ask @Bob what <@1> says`, isAddressed: true },
    { kind: "message", text: "I mean this", isAddressed: true, quoted: "Sure?" },
    { kind: "edit", text: "only talk, really", messageId: plain.id },
    { kind: "press", button: "yes-1", sender: { id: ada.user.id, name: "Ada" } },
  ]);
  expect(
    inbox.updates
      .filter(({ chat }) => chat.id !== chatId)
      .toSorted((a, b) => (BigInt(a.updateId) < BigInt(b.updateId) ? -1 : 1)),
  ).toMatchObject([
    { kind: "command", name: "new", chat: { kind: "private" } },
    { kind: "message", text: "in here", chat: { id: `${chatId}/${thread.id}`, title: "#details" } },
    { kind: "message", text: "hello", chat: { id: `${other.guild_id}/${other.id}` } },
  ]);
  expect([press, command]).toMatchObject([
    { answer: "Allowed.", isEphemeral: true, isAcknowledged: true },
    { answer: "`/model`", isEphemeral: true },
  ]);
});

test("run acknowledges a press immediately, even when it cannot be stored", async () => {
  await using world = await openDiscord();
  const { server, inbox, channel, signal } = world;
  const ada = server.person();
  const stored = Promise.withResolvers<void>();
  inbox.take = async () => {
    await stored.promise;
    return { answer: "Denied." };
  };
  const buttons = [{ id: "n", label: "No" }];
  await channel.send(ada.user.id, { kind: "text", text: "?", buttons, replyTo: undefined }, signal);

  const press = ada.presses("No");
  await server.waitFor(() => press.isAcknowledged);
  expect(press.answer).toBeUndefined();
  stored.resolve();
  await server.waitFor(() => press.answer === "Denied.");
});

test("run delivers files with name, type and size", async () => {
  await using world = await openDiscord();
  const { server, inbox } = world;
  const bytes = new Uint8Array([1, 2, 3, 4]);
  const ada = server.person();
  ada.sends({ name: "../a.pdf", bytes, type: "application/pdf", text: "What is it?" });
  ada.sends({ name: "b.bin", bytes });
  await inbox.waitFor(({ updates }) => updates.length === 2);

  const files = inbox.updates.flatMap((update) => (update.kind === "message" ? update.files : []));

  expect(inbox.texts).toEqual(["What is it?", ""]);
  expect(files).toMatchObject([
    { name: "../a.pdf", mediaType: "application/pdf", sizeBytes: 4 },
    { name: "b.bin", mediaType: "application/octet-stream", sizeBytes: 4 },
  ]);
});

test("run registers its commands once, and again when Discord has others", async () => {
  const clock = new FakeClock();
  await using server = discordAt(clock);
  const put = (): number => server.callsOf("PUT /applications/:id/commands").length;
  for (const expected of [1, 1]) {
    await using world = await openDiscord({ server, clock });
    await server.waitFor(
      (one) => one.callsOf("GET /applications/:id/commands").length > 0 && one.commands.length > 0,
    );
    await world.stop();
    expect(put()).toBe(expected);
  }
  expect(server.commands.map(({ name }) => name)).toContain("new");
});

test("run names the variable without a token and never sends a malformed one", async () => {
  for (const env of [{}, { DISCORD_BOT_TOKEN: "hunter2 is no token" }]) {
    await using world = await openDiscord({ env });

    expect(world.inbox.reports).toMatchObject([
      { kind: "down", why: expect.stringContaining("DISCORD_BOT_TOKEN has no token") },
    ]);
    expect(JSON.stringify(world.inbox.reports)).not.toContain("hunter2");
    expect(world.server.calls).toEqual([]);
  }
});
