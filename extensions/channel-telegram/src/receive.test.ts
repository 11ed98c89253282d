import { RecordingBotServer } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { openTelegram } from "./testing/telegram-world.ts";

test("run delivers messages with sender and chat, and confirms them once stored", async () => {
  await using world = await openTelegram();
  const { server, inbox } = world;
  const ada = server.person({ name: "Ada", id: 42 });
  const stored = Promise.withResolvers<void>();
  inbox.take = async () => {
    await stored.promise;
    return {};
  };

  ada.says("hello");
  await server.waitFor(({ calls }) => calls.filter(({ method }) => method === "getUpdates").length > 0);
  expect(server.pending).toHaveLength(1);
  stored.resolve();
  await server.waitFor(({ pending, isPolled }) => pending.length === 0 && isPolled);

  expect(inbox.updates).toEqual([
    {
      updateId: expect.stringMatching(/^\d+$/),
      chat: { id: "42", kind: "private", title: "Ada" },
      sender: { id: "42", name: "Ada" },
      kind: "message",
      messageId: expect.stringMatching(/^\d+$/),
      text: "hello",
      files: [],
      isAddressed: false,
      quoted: undefined,
    },
  ]);
  expect(inbox.reports).toEqual([{ kind: "up", account: "@incipit_test_bot" }]);
  expect(server.commands.map(({ command }) => command)).toContain("new");
});

test("run reads commands, mentions, replies, edits, presses and topics", async () => {
  await using world = await openTelegram();
  const { server, inbox, channel, signal } = world;
  const group = server.group({ title: "Team", isForum: true });
  const ada = server.person({ name: "Ada" });
  const there = ada.in(group);
  const inTopic = ada.in(server.topic(group));
  inbox.take = async (update) => (update.kind === "press" ? { answer: "Done" } : {});
  const buttons = [{ id: "yes-1", label: "Yes" }];
  await channel.send(String(there.chatId), { kind: "text", text: "Sure?", buttons, replyTo: undefined }, signal);

  ada.says("/new gpt");
  there.says("/stop@incipit_test_bot");
  there.says("/stop@another_bot");
  const plain = there.says("only talk");
  there.says("@incipit_test_bot, what now?");
  const [question] = there.replies;
  if (question !== undefined) there.says("I mean this", { replyTo: question });
  inTopic.says("in here");
  there.edits(plain, "only talk, really");
  const press = there.presses("Yes");
  await server.waitFor(() => press.answer !== undefined);
  // Chats are delivered concurrently.
  const inOrder = inbox.updates.toSorted((a, b) => Number(a.updateId) - Number(b.updateId));
  expect(inOrder).toMatchObject([
    { kind: "command", name: "new", argument: "gpt", chat: { kind: "private" } },
    {
      kind: "command",
      name: "stop",
      argument: "",
      chat: { id: String(there.chatId), kind: "group", title: "Team" },
    },
    { kind: "message", text: "only talk", isAddressed: false },
    { kind: "message", text: "what now?", isAddressed: true },
    { kind: "message", text: "I mean this", isAddressed: true, quoted: "Sure?" },
    { kind: "message", text: "in here", chat: { id: expect.stringMatching(new RegExp(`^${there.chatId}/\\d+$`)) } },
    { kind: "edit", text: "only talk, really", messageId: String(plain.message_id) },
    { kind: "press", button: "yes-1" },
  ]);
  expect(press.answer).toBe("Done");
});

test("run does not delay messages while answering a press", async () => {
  await using world = await openTelegram();
  const { server, inbox, channel, signal } = world;
  const ada = server.person();
  const buttons = [{ id: "y", label: "Yes" }];
  await channel.send(String(ada.chatId), { kind: "text", text: "?", buttons, replyTo: undefined }, signal);
  server.fail("answerCallbackQuery", { kind: "hold" });

  const press = ada.presses("Yes");
  ada.says("next");
  await inbox.waitFor(({ texts }) => texts.includes("next"));

  await server.waitFor(({ held }) => held === 1);
  expect(inbox.texts).toEqual(["y", "next"]);
  expect(press.answer).toBeUndefined();
  server.release();
  await server.waitFor(() => press.answer !== undefined);
});

test("run delivers files with name, type and size", async () => {
  await using world = await openTelegram();
  const { server, inbox } = world;
  const bytes = new Uint8Array([1, 2, 3, 4]);
  const ada = server.person();
  ada.sends({ kind: "photo", bytes, caption: "What is it?" });
  ada.sends({ kind: "document", bytes, name: "../a.pdf", mediaType: "application/pdf" });
  await inbox.waitFor(({ updates }) => updates.length === 2);

  const files = inbox.updates.flatMap((update) => (update.kind === "message" ? update.files : []));

  expect(inbox.texts).toEqual(["What is it?", ""]);
  expect(files).toMatchObject([
    { name: undefined, mediaType: "image/jpeg", sizeBytes: 4 },
    { name: "../a.pdf", mediaType: "application/pdf", sizeBytes: 4 },
  ]);
});

test("run does not block chats behind files that never arrive", async () => {
  await using world = await openTelegram({ held: "/getFile" });
  const { server, inbox, signal, clock } = world;
  const [ada, bob] = [server.person(), server.person()];
  const unread: string[] = [];
  inbox.take = async (update) => {
    if (update.kind !== "message") return {};
    for (const file of [update, ...(update.others ?? [])].flatMap(({ files }) => files))
      await file.read({ maxBytes: 10, signal }).catch((error: unknown) => unread.push(String(error)));
    return {};
  };
  server.fail("getFile", { kind: "hold" }, { kind: "hold" });
  for (const byte of [1, 2]) ada.sends({ kind: "photo", bytes: new Uint8Array([byte]), album: "a" });
  for (let index = 1; index <= 150; index += 1) ada.says(`Ada ${index}`);
  bob.says("Hello");

  const beginMs = clock.now();
  while (!inbox.texts.includes("Hello")) await world.pass(250);
  const waitedMs = clock.now() - beginMs;
  while (server.pending.length > 0) await world.pass(250);

  expect(waitedMs).toBeLessThan(60_000);
  expect(unread).toEqual(Array.from({ length: 2 }, () => expect.stringContaining("delayed other chats")));
  expect(inbox.texts.filter((text) => text.startsWith("Ada"))).toEqual(
    Array.from({ length: 150 }, (_, index) => `Ada ${index + 1}`),
  );
});

test("run reports a bad token, retries slowly, and recovers", async () => {
  await using world = await openTelegram();
  const { server, inbox, clock } = world;
  await server.waitFor(({ isPolled }) => isPolled);
  server.revokeToken();
  await inbox.waitFor(({ reports }) => reports.length === 2);
  const asked = server.calls.length;

  await clock.advance(299_000);
  expect(server.calls).toHaveLength(asked);
  server.restoreToken();
  server.person().says("hello");
  await world.advanceUntil(() => inbox.updates.length > 0);

  expect(inbox.reports).toMatchObject([
    { kind: "up" },
    { kind: "down", why: expect.stringContaining("TELEGRAM_BOT_TOKEN") },
    { kind: "up" },
  ]);
  expect(JSON.stringify([inbox.reports, world.started.logs])).not.toContain(server.token.slice(-20));
});

test("run honours the delay that the service requests", async () => {
  const server = new RecordingBotServer();
  server.fail("getUpdates", { kind: "refuse", status: 429, description: "Too Many Requests", retryAfterS: 90 });
  await using world = await openTelegram({ server });
  await world.inbox.waitFor(({ reports }) => reports.length === 1);

  for (let second = 0; second < 89; second += 1) await world.pass(1_000);
  expect(server.callsOf("getUpdates")).toHaveLength(1);
  await world.advanceUntil(() => server.callsOf("getUpdates").length === 2);
  await server[Symbol.asyncDispose]();
});

test("run deletes a webhook at startup and while running, keeping pending updates", async () => {
  const server = new RecordingBotServer();
  // Updates for an unreachable webhook stay pending.
  const setWebhook = (): Promise<Response> =>
    fetch(`${server.url}/bot${server.token}/setWebhook?url=${encodeURIComponent("http://127.0.0.1:9/")}`);
  await setWebhook();
  const ada = server.person();
  ada.says("before");
  await using world = await openTelegram({ server });
  await world.advanceUntil(() => world.inbox.updates.length === 1);
  await server.waitFor(({ isPolled }) => isPolled);

  await setWebhook();
  ada.says("meanwhile");
  await world.advanceUntil(() => world.inbox.updates.length === 2);

  expect(world.inbox.texts).toEqual(["before", "meanwhile"]);
  await server[Symbol.asyncDispose]();
});

test("run names the variable without a token and never sends a malformed one", async () => {
  for (const env of [{}, { TELEGRAM_BOT_TOKEN: "hunter2/../x" }]) {
    await using world = await openTelegram({ env });

    expect(world.inbox.reports).toMatchObject([
      { kind: "down", why: expect.stringContaining("TELEGRAM_BOT_TOKEN has no token") },
    ]);
    expect(JSON.stringify(world.inbox.reports)).not.toContain("hunter2");
    expect(world.server.calls).toEqual([]);
  }
});

test("run rejects an endless response and continues", async () => {
  const server = new RecordingBotServer();
  server.fail("getUpdates", { kind: "flood" });
  await using world = await openTelegram({ server });
  await world.inbox.waitFor(({ reports }) => reports.length === 1);
  server.person().says("hello");

  await world.advanceUntil(() => world.inbox.updates.length > 0);

  expect(world.inbox.reports).toMatchObject([
    { kind: "down", why: expect.stringContaining("Telegram's answer has more than") },
    { kind: "up" },
  ]);
  await server[Symbol.asyncDispose]();
});

test("run delivers an album as one message, whichever part is addressed or late", async () => {
  await using world = await openTelegram();
  const { server, inbox } = world;
  const ada = server.person().in(server.group());
  const photo = (byte: number, caption?: string): void =>
    void ada.sends({
      kind: "photo",
      bytes: new Uint8Array([byte]),
      album: "a",
      ...(caption === undefined ? {} : { caption }),
    });
  photo(1);
  photo(2, "@incipit_test_bot compare them");
  await server.waitFor(({ calls }) => calls.filter(({ method }) => method === "getUpdates").length > 0);
  await world.pass(500);
  photo(3);
  ada.says("behind it");
  while (server.pending.length > 0) await world.pass(250);

  expect(inbox.updates).toMatchObject([
    { kind: "message", text: "compare them", isAddressed: true, others: [{}, {}] },
    { kind: "message", text: "behind it" },
  ]);
  const [album] = inbox.updates;
  const files =
    album?.kind === "message" ? [...album.files, ...(album.others ?? []).flatMap(({ files: more }) => more)] : [];
  const options = { maxBytes: 10, signal: world.signal };
  expect(await Promise.all(files.map(async (file) => [...(await file.read(options))]))).toEqual([[1], [2], [3]]);
});

test("run reports a group's migration before its later messages", async () => {
  await using world = await openTelegram();
  const { server, inbox } = world;
  const ada = server.person();
  const [before, after] = [server.group(), server.group()];

  ada.in(before).becomes(after);
  ada.in(after).says("@incipit_test_bot go on");
  await inbox.waitFor(({ updates }) => updates.length > 0);

  const move = { from: String(before.chat.id), to: String(after.chat.id) };
  expect(inbox.moves).toEqual([move, move]);
});

test("run treats a draft's stop button as a command, except for older drafts", async () => {
  await using world = await openTelegram();
  const { server, inbox, channel, clock, signal } = world;
  const ada = server.person();
  const chat = String(ada.chatId);
  await channel.showProgress?.(chat, "One", signal);
  await channel.send(chat, { kind: "text", text: "Done", buttons: [], replyTo: undefined }, signal);
  await clock.advance(1_000);
  await channel.showProgress?.(chat, "Two", signal);
  const [old, shown] = server.drafts;
  if (old === undefined || shown === undefined) throw new Error("No draft was shown");

  ada.stops(old);
  ada.says("between");
  ada.stops(shown);
  await inbox.waitFor(({ updates }) => updates.length > 1);

  expect(inbox.texts).toEqual(["between", "/stop"]);
  expect(inbox.updates[1]).toMatchObject({ chat: { id: chat, kind: "private" }, sender: { id: chat } });
});

test("run retries a second after a conflict, and backs off from repeated ones", async () => {
  await using server = new RecordingBotServer();
  const conflict = {
    kind: "refuse",
    status: 409,
    description: "Conflict: terminated by other getUpdates request",
  } as const;
  server.fail("getUpdates", conflict);
  await using world = await openTelegram({ server });
  await world.inbox.waitFor(({ reports }) => reports.length === 1);
  const beganMs = world.clock.now();
  await world.advanceUntil(() => world.inbox.reports.length === 2);
  const once = world.clock.now() - beganMs;

  expect(world.inbox.reports).toMatchObject([{ kind: "down" }, { kind: "up" }]);
  expect(once).toBeLessThanOrEqual(2_000);
});
