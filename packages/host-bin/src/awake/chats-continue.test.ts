import { conversationIdSchema, type ConversationId } from "@incipit/schema";
import { saidIn, createMemoryStorage, TestService } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { ChatsWorld, type ChatsWorldOptions } from "./testing/chats-world.ts";

const unknownId = "01980000-0000-7000-8000-000000000001";

async function begun(
  world: ChatsWorld,
  request: { readonly allowedTools?: string[] } = {},
): Promise<ConversationId> {
  const { id } = await world.conversations.create({ title: "The garden", ...request });
  await world.conversations.send(id, { input: "What grows?" });
  await world.rest();
  return id;
}

function said(world: ChatsWorld, id: ConversationId): Promise<readonly string[]> {
  return saidIn(world.started, id);
}

function limited(...tools: string[]): ChatsWorldOptions {
  return { service: new TestService({ settings: { people: ["ada"], tools } }) };
}

test("a chat continues a conversation from elsewhere, is notified, and leaves it with /new", async () => {
  await using world = await ChatsWorld.start();
  const id = await begun(world);

  const told = await world.chats.continueIn("test", "ada", { conversationId: id });
  await world.say("And in winter?");
  world.command("new");
  await world.say("Hello");

  expect(told).toMatchObject([{ chat: "ada", text: 'From now on, we continue with "The garden" here.' }]);
  expect(world.service.texts().slice(0, 2)).toEqual([
    'From now on, we continue with "The garden" here.',
    "Re: And in winter?",
  ]);
  expect(await said(world, id)).toEqual(["What grows?", "And in winter?"]);
});

test("a queued chat message is answered in its original conversation", async () => {
  const answer = Promise.withResolvers<string>();
  await using world = await ChatsWorld.start({
    answer: (text) => (text === "First" ? answer.promise : `Re: ${text}`),
  });
  const id = await begun(world);
  world.service.say("First");
  while (!world.asked.includes("First")) await new Promise<void>((resolve) => setImmediate(resolve));

  await world.chats.continueIn("test", "ada", { conversationId: id });
  world.service.say("Second");
  answer.resolve("At last");
  await world.rest();

  expect(world.service.texts()).toEqual(expect.arrayContaining(["At last", "Re: Second"]));
  expect(await said(world, id)).toEqual(["What grows?", "Second"]);
});

test("a chat keeps its conversation across a restart", async () => {
  const [storage, service] = [createMemoryStorage(), new TestService({ settings: { people: ["ada"] } })];
  let id: ConversationId;
  {
    await using world = await ChatsWorld.start({ storage, service });
    id = await begun(world);
    await world.chats.continueIn("test", "ada", { conversationId: id });
    await world.rest();
  }
  await using world = await ChatsWorld.start({ storage, service });
  await world.say("Still there?");

  expect(await said(world, id)).toContain("Still there?");
});

test("a chat cannot continue a conversation with more permissions than the owner grants the chat", async () => {
  for (const [tools, allowedTools, isTaken] of [
    [["read_file", "files__*"], ["files__read", "files__w*", "read_file"], true],
    [["read_file"], ["read_file", "shell"], false],
    [["files__read"], ["files__*"], false],
    [["read_file"], undefined, false],
    [[], [], true],
  ] as const) {
    await using world = await ChatsWorld.start(limited(...tools));
    const id = await begun(world, allowedTools === undefined ? {} : { allowedTools: [...allowedTools] });

    const outcome = await world.chats
      .continueIn("test", "ada", { conversationId: id })
      .catch((error: unknown) => error);

    if (isTaken) expect(outcome).toHaveLength(1);
    else
      expect(outcome).toMatchObject({
        code: "CHAT_TOOLS_EXCEEDED",
        message: expect.stringContaining("the chat may use"),
      });
    await world.say("Hello");
    expect((await said(world, id)).includes("Hello")).toBe(isTaken);
  }
});

test("an unknown conversation, chat or channel is rejected, and the chat keeps its own conversation", async () => {
  await using world = await ChatsWorld.start();
  await world.say("One");
  const id = await begun(world);
  const codeOf = async (channel: string, chat: string, conversationId: string): Promise<unknown> =>
    world.chats
      .continueIn(channel, chat, { conversationId: conversationIdSchema.parse(conversationId) })
      .catch((error: unknown) => error);

  expect(await codeOf("test", "ada", unknownId)).toMatchObject({ code: "CONVERSATION_UNKNOWN" });
  expect(await codeOf("test", "mallory", id)).toMatchObject({ code: "CHAT_UNKNOWN" });
  expect(await codeOf("other", "ada", id)).toMatchObject({ code: "CHANNEL_UNKNOWN" });
  await world.say("Two");
  expect(await said(world, id)).not.toContain("Two");
});

test("a paired person is listed before their first message", async () => {
  await using world = await ChatsWorld.start({ service: new TestService() });
  const { code } = await world.chats.createPairingCode("test");
  await world.say(code);
  const id = await begun(world);

  await world.chats.continueIn("test", "ada", { conversationId: id });
  await world.say("And in winter?");

  expect(await said(world, id)).toContain("And in winter?");
});
