import { createHost, parseConfig, type RunningHost } from "@incipit/host-bin";
import { createTempFolder, RecordingDiscordServer, startRecordingModelServer } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";

test("Discord users are paired, answered privately and in threads, and once after downtime", async () => {
  await using scope = new AsyncDisposableStack();
  const folder = scope.use(await createTempFolder());
  const model = scope.use(await startRecordingModelServer());
  const discord = scope.use(new RecordingDiscordServer({ isStrict: true }));
  const general = discord.channel();
  const log: string[] = [];
  const text = `model = "local/test"
[providers.local]
kind = "openai-compatible"
base_url = "${model.url}"
[listen]
port = 0
[channels.discord]
enabled = true
api_root = "${discord.url}"
groups = ["${general.guild_id}"]
[channels.discord.chats."${general.guild_id}"]
cwd = "/usr"
tools = []
`;
  const start = async (life: AsyncDisposableStack): Promise<RunningHost> => {
    const host = await createHost({
      config: parseConfig(text, "incipit.toml"),
      dataFolder: `${folder.path}/data`,
      cwd: folder.path,
      env: { DISCORD_BOT_TOKEN: discord.token },
      writeLog: (line) => void log.push(line),
    });
    life.defer(() => host.close());
    return host;
  };
  const ada = discord.person({ name: "Ada" });
  const there = ada.in(discord.thread(general));
  const isTold = (who: typeof there, what: string): Promise<void> =>
    discord.waitFor(() => who.replies.some(({ content }) => content.includes(what)));

  {
    await using life = new AsyncDisposableStack();
    const host = await start(life);
    await discord.waitFor(({ gateway }) => gateway.isConnected);
    ada.says("Hello?");
    await isTold(ada, "only talk to paired people");
    const { pairingCode } = await createClient(host).call(routes.createPairingCode, { params: { id: "discord" } });
    ada.says(pairingCode.code);
    await isTold(ada, "Welcome, Ada");
    model.enqueue({ kind: "text", chunks: ["Four."] }, { kind: "text", chunks: ["In a thread."] });
    ada.says("Two and two?");
    await isTold(ada, "Four.");
    const question = there.says(`<@${discord.bot.id}> where are we?`);
    await isTold(there, "In a thread.");
    expect(there.replies[0]?.referenced_message?.id).toBe(question.id);
    const { conversations } = await createClient(host).call(routes.listConversations, { query: {} });
    expect(conversations.map(({ cwd }) => cwd === "/usr")).toEqual([true, false]);
    expect(model.requests.map(({ body }) => body.includes('"send_file"'))).toEqual([true, false]);
    ada.runs("status");
    await isTold(ada, "local/test");
  }
  await discord.waitFor(({ gateway }) => !gateway.isConnected);
  model.enqueue({ kind: "text", chunks: ["I am back."] });
  ada.says("Are you there?");
  {
    await using life = new AsyncDisposableStack();
    await start(life);
    await isTold(ada, "I am back.");
  }

  expect(model.requests).toHaveLength(3);
  expect(new Set(ada.replies.map(({ content }) => content)).size).toBe(ada.replies.length);
  const told = [...log, ...discord.sent.map(({ content }) => content)].join("\n");
  expect(told).not.toContain(discord.token.slice(-20));
});
