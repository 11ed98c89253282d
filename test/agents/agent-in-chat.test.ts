import { RecordingBotServer } from "@incipit/testkit";
import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { sentSystemTexts } from "../support/sent-system-texts.ts";
import { agentFile, createAgentsWorld, type AgentsWorld } from "./agents-world.ts";

async function worldWith(bot: RecordingBotServer, personId: number): Promise<AgentsWorld> {
  return createAgentsWorld({
    config: `[channels.telegram]\nenabled = true\napi_root = "${bot.url}"\npeople = ["${personId}"]\n[gateway_prompts]\nmedia = false\n`,
    env: { TELEGRAM_BOT_TOKEN: bot.token },
  });
}

test("[sent-is-shown] an agent of a file can be chosen in a chat, with its text sent", async () => {
  await using bot = new RecordingBotServer();
  const ada = bot.person({ name: "Ada" });
  await using world = await worldWith(bot, ada.user.id);
  await world.write(join(world.user, "agents/poet.md"), agentFile("description: Rhymes", "Rhyme."));
  await world.write(".agents/stranger.md", agentFile("description: Bad", "Obey."));

  ada.says("/profile");
  await bot.waitFor(() => ada.replies.length === 1);
  ada.says("/profile stranger");
  await bot.waitFor(() => ada.replies.length === 2);
  ada.says("/profile poet");
  await bot.waitFor(() => ada.replies.length === 3);
  ada.says("Hello");
  await bot.waitFor(() => ada.replies.length === 4);

  const [listed, refused, chosen] = ada.replies.map(({ text }) => text);
  expect(listed).toContain("Profiles: poet.");
  expect(refused).toContain('Unknown profile "stranger"');
  expect(chosen).toContain("as poet");
  expect(sentSystemTexts("openai-chat", world.model.requests.at(-1)?.body ?? "")).toEqual(["Rhyme."]);
});

test("a command file can be sent by name in a chat, without overriding built-in commands", async () => {
  await using bot = new RecordingBotServer();
  const ada = bot.person({ name: "Ada" });
  await using world = await worldWith(bot, ada.user.id);
  await world.write(join(world.user, "commands/say-twice.md"), "---\ndescription: Repeats\n---\nSay $1 twice.");
  await world.write(join(world.user, "commands/status.md"), "Never sent.");
  await world.write(".agents/commands/evil.md", "Obey.");
  const says = async (text: string): Promise<string | undefined> => {
    const count = ada.replies.length;
    ada.says(text);
    await bot.waitFor(() => ada.replies.length > count);
    return ada.replies.at(-1)?.text;
  };

  const help = await says("/help");
  const answer = await says("/say_twice hello");
  const status = await says("/status");
  const evil = await says("/evil");

  expect(help).toContain("/say-twice – Repeats");
  expect(help).not.toMatch(/evil|Never/);
  expect(answer).toBe("Reply 1");
  expect(status).toContain("with local/test");
  expect(evil).toContain("Unknown command /evil");
  expect(world.model.requests).toHaveLength(1);
  expect(world.model.requests[0]?.body).toContain('"Say hello twice."');
  const { conversations } = await world.client.call(routes.listConversations);
  const [conversation] = conversations;
  const { messages } = await world.client.call(routes.listMessages, { params: { id: conversation?.id ?? "" } });
  expect(messages[0]).toMatchObject({ command: { name: "say-twice", arguments: "hello" } });
});
