import type { ChannelMessageView } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { ChannelWorld } from "./channel-world.ts";

const telegram = { id: "telegram" };

test("a person is paired by code, answered, listed, messaged and removed over HTTP", async () => {
  await using world = await ChannelWorld.create();
  const { bot, model } = world;
  const { client, running } = await world.start("telegram");
  const ada = bot.person({ name: "Ada" });

  ada.says("Hello?");
  await bot.waitFor(({ sent }) => sent.length === 1);
  const { pairingCode } = await client.call(routes.createPairingCode, { params: telegram });
  ada.says(`/start ${pairingCode.code}`);
  await bot.waitFor(({ sent }) => sent.length === 2);
  model.enqueue({ kind: "text", chunks: ["Four."] });
  ada.says("Two and two?");
  await bot.waitFor(({ sent }) => sent.length === 3);

  const { people } = await client.call(routes.listChannelPeople, { params: telegram });
  const chat = people[0]?.id ?? "";
  const { messages } = await client.call(routes.sendToChannel, {
    params: telegram,
    body: { chat, text: "By the way" },
  });
  await bot.waitFor(({ sent }) => sent.length === 4);
  const nobody = await client
    .call(routes.sendToChannel, { params: telegram, body: { chat: "99", text: "Hi" } })
    .catch((error: unknown) => error);
  await client.call(routes.removeChannelPerson, { params: { ...telegram, person: chat } });
  const left = await client.call(routes.listChannelPeople, { params: telegram });
  const { channels } = await client.call(routes.listChannels);

  const [stranger = "", welcome = "", reply = "", sent = ""] = bot.sent.map(({ text }) => text ?? "");
  expect(stranger).toContain("I only talk to paired people");
  expect(stranger).toContain(chat);
  expect(welcome).toContain("Welcome, Ada!");
  expect([reply, sent]).toEqual(["Four.", "By the way"]);
  expect(model.requests).toHaveLength(1);
  expect(people).toMatchObject([{ name: "Ada", source: "pairing" }]);
  expect(messages).toMatchObject([{ state: "waiting", chat, text: "By the way" }]);
  expect(nobody).toMatchObject({ code: "CHAT_UNKNOWN" });
  expect(left.people).toEqual([]);
  expect(channels).toMatchObject([{ id: "telegram", state: "up", unknown: 0 }]);
  const response = await fetch(`${running.url}/channels/none/people`, {
    headers: { authorization: `Bearer ${running.token}` },
  });
  expect([response.status, await response.text()]).toEqual([
    404,
    expect.stringContaining("GET /channels lists them"),
  ]);
}, 300_000);

async function settledMessages(client: Client): Promise<readonly ChannelMessageView[]> {
  for (const startedAt = performance.now(); performance.now() - startedAt < 50_000;) {
    const { messages } = await client.call(routes.listChannelMessages, { params: telegram });
    if (messages.every(({ state }) => state !== "sending" && state !== "waiting")) return messages;
  }
  throw new Error("A message is still on its way");
}

test("messages sent while the host was down are answered once after its start", async () => {
  await using world = await ChannelWorld.create();
  const { bot, model } = world;
  const first = await world.start("telegram");
  const ada = bot.person({ name: "Ada" });
  const { pairingCode } = await first.client.call(routes.createPairingCode, { params: telegram });
  ada.says(pairingCode.code);
  await bot.waitFor(({ sent }) => sent.length === 1);
  await first.running.close();

  ada.says("Are you there?");
  model.enqueue({ kind: "text", chunks: ["Yes."] });
  const { client } = await world.start("telegram");
  await bot.waitFor(({ sent }) => sent.length === 2);
  bot.repeatUpdates();
  model.enqueue({ kind: "text", chunks: ["Still."] });
  ada.says("And now?");
  await bot.waitFor(({ sent }) => sent.length === 3);

  expect(bot.sent.slice(1).map(({ text }) => text)).toEqual(["Yes.", "Still."]);
  expect(model.requests).toHaveLength(2);
  // The service receives it before the host is informed.
  const messages = await settledMessages(client);
  expect(messages.map(({ text, state }) => [text, state])).toEqual([
    ["Still.", "sent"],
    ["Yes.", "sent"],
    [expect.stringContaining("Welcome"), "sent"],
  ]);
}, 300_000);

test("a read-only token lists channels and cannot pair anyone", async () => {
  await using world = await ChannelWorld.create();
  const { client, running } = await world.start("telegram");
  const { secret } = await client.call(routes.createToken, {
    body: { scopes: ["read", "converse", "prompt", "records"], days: 1 },
  });
  const ask = async (method: string, path: string): Promise<number> => {
    const body = method === "POST" ? { body: JSON.stringify({ chat: "1", text: "Hi" }) } : {};
    const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
    return (await fetch(`${running.url}${path}`, { method, headers, ...body })).status;
  };

  expect([await ask("GET", "/channels"), await ask("GET", "/channels/telegram/messages")]).toEqual([200, 200]);
  for (const [method, path] of [
    ["POST", "/channels/telegram/pairing-codes"],
    ["POST", "/channels/telegram/send"],
    ["POST", "/channels/telegram/messages/000000000001/retry"],
    ["DELETE", "/channels/telegram/people/1"],
  ] as const)
    expect([path, await ask(method, path)]).toEqual([path, 403]);
}, 300_000);

test("settings of a Telegram chat apply to its conversation: folder and tools", async () => {
  await using world = await ChannelWorld.create();
  const { bot, model } = world;
  const [ada, bob] = [bot.person({ name: "Ada" }), bot.person({ name: "Bob" })];
  const { client } = await world.start(
    "telegram",
    `people = ["${ada.user.id}", "${bob.user.id}"]
[channels.telegram.chats.${ada.user.id}]
cwd = "/usr"
tools = []
`,
  );
  for (const person of [ada, bob]) {
    model.enqueue({ kind: "text", chunks: ["Hello."] });
    person.says("Hello?");
    await bot.waitFor(() => person.replies.length === 1);
  }
  const { conversations } = await client.call(routes.listConversations, { query: {} });

  expect(conversations.map(({ cwd }) => cwd === "/usr")).toEqual([false, true]);
  expect(model.requests.map(({ body }) => body.includes('"send_file"'))).toEqual([false, true]);
});

test("a group upgraded to a supergroup keeps conversation and settings, also after a restart", async () => {
  await using world = await ChannelWorld.create();
  const { bot, model } = world;
  const ada = bot.person({ name: "Ada" });
  const [before, after] = [bot.group(), bot.group()];
  const lines = `people = ["${ada.chatId}"]\ngroups = ["${before.chat.id}"]
[channels.telegram.chats.${before.chat.id}]
approvers = []
`;
  const first = await world.start("telegram", lines);
  model.enqueue(
    { kind: "text", chunks: ["One."] },
    { kind: "text", chunks: ["Two."] },
    { kind: "text", chunks: ["Three."] },
  );
  ada.in(before).says("@incipit_test_bot one");
  await bot.waitFor(({ sent }) => sent.length === 1);
  ada.in(before).becomes(after);
  ada.in(after).says("@incipit_test_bot two");
  await bot.waitFor(({ sent }) => sent.length === 2);
  await first.running.close();
  const { client } = await world.start("telegram", lines);
  ada.in(after).says("@incipit_test_bot three");
  await bot.waitFor(({ sent }) => sent.length === 3);

  expect(bot.sent.map(({ text, chat }) => [text, chat.id])).toEqual([
    ["One.", before.chat.id],
    ["Two.", after.chat.id],
    ["Three.", after.chat.id],
  ]);
  const { conversations } = await client.call(routes.listConversations);
  expect(conversations).toHaveLength(1);
  expect(model.requests.at(-1)?.body).toContain("Two.");
}, 300_000);

test("the button of a streaming reply stops the turn, and failed messages are counted", async () => {
  await using world = await ChannelWorld.create();
  const { bot, model } = world;
  const ada = bot.person({ name: "Ada" });
  const { client } = await world.start("telegram", `people = ["${ada.chatId}"]\n`);
  model.enqueue({ kind: "text", chunks: ["Word ", "by word"], gate: true });
  ada.says("Hello");
  model.release();
  await bot.waitFor(({ drafts }) => drafts.length > 0);
  const [draft] = bot.drafts;
  if (draft === undefined) throw new Error("No draft was shown");

  ada.stops(draft);
  await bot.waitFor(({ sent }) => sent.length > 0);
  const { conversations } = await client.call(routes.listConversations);
  bot.fail("sendMessage", { kind: "refuse", status: 403, description: "Forbidden: bot was blocked by the user" });
  await client.call(routes.sendToChannel, { params: telegram, body: { chat: String(ada.chatId), text: "Hi" } });
  await settledMessages(client);

  expect(conversations).toMatchObject([{ status: "idle" }]);
  expect((await client.call(routes.listChannels)).channels).toMatchObject([{ id: "telegram", failed: 1 }]);
}, 300_000);
