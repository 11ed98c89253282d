import { RecordingBotServer } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { sentSystemTexts } from "../sent-system-texts.ts";
import { agentFile, createAgentsWorld } from "./agents-world.ts";

test("[sent-is-shown] an agent of a file is chosen in a chat, and the model is told what stands in it", async () => {
  await using bot = new RecordingBotServer();
  const ada = bot.person({ name: "Ada" });
  await using world = await createAgentsWorld({
    config: `[channels.telegram]\nenabled = true\napi_root = "${bot.url}"\npeople = ["${ada.user.id}"]\n[gateway_prompts]\nmedia = false\n`,
    env: { TELEGRAM_BOT_TOKEN: bot.token },
  });
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
  expect(listed).toContain("There are: poet.");
  expect(refused).toContain('There is no profile "stranger"');
  expect(chosen).toContain("as poet");
  expect(sentSystemTexts("openai-chat", world.model.requests.at(-1)?.body ?? "")).toEqual(["Rhyme."]);
});
