import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { ChannelWorld } from "./channel-world.ts";

test("Discord users are paired, answered privately and in threads, and once after downtime", async () => {
  await using world = await ChannelWorld.create();
  const { model, discord, log } = world;
  const general = discord.channel();
  const settings = `groups = ["${general.guild_id}"]
[channels.discord.chats."${general.guild_id}"]
cwd = "/usr"
tools = []
`;
  const ada = discord.person({ name: "Ada" });
  const there = ada.in(discord.thread(general));
  const isTold = (who: typeof there, what: string): Promise<void> =>
    discord.waitFor(() => who.replies.some(({ content }) => content.includes(what)));

  const { running, client } = await world.start("discord", settings);
  ada.says("Hello?");
  await isTold(ada, "only talk to paired people");
  const { pairingCode } = await client.call(routes.createPairingCode, { params: { id: "discord" } });
  ada.says(pairingCode.code);
  await isTold(ada, "Welcome, Ada");
  model.enqueue({ kind: "text", chunks: ["Four."] }, { kind: "text", chunks: ["In a thread."] });
  ada.says("Two and two?");
  await isTold(ada, "Four.");
  const question = there.says(`<@${discord.bot.id}> where are we?`);
  await isTold(there, "In a thread.");
  expect(there.replies[0]?.referenced_message?.id).toBe(question.id);
  const { conversations } = await client.call(routes.listConversations, { query: {} });
  expect(conversations.map(({ cwd }) => cwd === "/usr")).toEqual([true, false]);
  expect(model.requests.map(({ body }) => body.includes('"send_file"'))).toEqual([true, false]);
  ada.runs("status");
  await isTold(ada, "local/test");
  await running.close();
  await discord.waitFor(({ gateway }) => !gateway.isConnected);
  model.enqueue({ kind: "text", chunks: ["I am back."] });
  ada.says("Are you there?");
  await world.start("discord", settings);
  await isTold(ada, "I am back.");

  expect(model.requests).toHaveLength(3);
  expect(new Set(ada.replies.map(({ content }) => content)).size).toBe(ada.replies.length);
  const told = [...log, ...discord.sent.map(({ content }) => content)].join("\n");
  expect(told).not.toContain(discord.token.slice(-20));
});
