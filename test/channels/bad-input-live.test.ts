import { createHost, parseConfig, type RunningHost } from "@incipit/host-bin";
import {
  createTempFolder,
  RecordingBotServer,
  RecordingDiscordServer,
  startRecordingModelServer,
  type RecordingModelServer,
} from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { mkdir, symlink, truncate } from "node:fs/promises";
import { join } from "node:path";

interface World {
  readonly model: RecordingModelServer;
  readonly folder: string;
  readonly cwd: string;
  /** @param settings Lines of the channel's table, and after it. */
  readonly host: (settings: string, env: Readonly<Record<string, string>>) => Promise<RunningHost>;
}

async function createWorld(scope: AsyncDisposableStack): Promise<World> {
  const { path: folder } = scope.use(await createTempFolder());
  const model = scope.use(await startRecordingModelServer());
  const cwd = join(folder, "work");
  await mkdir(cwd);
  const text = `model = "local/test"
providers.local = { kind = "openai-compatible", base_url = "${model.url}" }
listen.port = 0
`;
  return {
    model,
    folder,
    cwd,
    async host(settings, env) {
      const running = await createHost({
        config: parseConfig(`${text}${settings}`, "incipit.toml"),
        dataFolder: join(folder, "data"),
        cwd,
        env,
        writeLog: () => {},
      });
      scope.defer(() => running.close());
      return running;
    },
  };
}

interface TelegramWorld extends World {
  readonly bot: RecordingBotServer;
  readonly ada: ReturnType<RecordingBotServer["person"]>;
  readonly running: RunningHost;
}

async function onTelegram(scope: AsyncDisposableStack, settings = ""): Promise<TelegramWorld> {
  const world = await createWorld(scope);
  const bot = scope.use(new RecordingBotServer({ isStrict: true }));
  const ada = bot.person({ name: "Ada" });
  const running = await world.host(
    `[channels.telegram]
enabled = true
api_root = "${bot.url}"
people = ["${ada.user.id}"]
${settings}`,
    { TELEGRAM_BOT_TOKEN: bot.token },
  );
  return { ...world, bot, ada, running };
}

const png = new Uint8Array(Buffer.from("\x89PNG\r\n\x1a\nthe rest", "latin1"));

test("a reply's files outside of the folder are withheld and reported; the rest is sent", async () => {
  await using scope = new AsyncDisposableStack();
  const { bot, ada, model, folder, cwd } = await onTelegram(scope);
  await Bun.write(join(folder, "secret.png"), `${new TextDecoder("latin1").decode(png)} secret`);
  await Bun.write(join(cwd, "good.png"), png);
  await Bun.write(join(cwd, "two.pdf"), "%PDF-1.7");
  await truncate(join(cwd, "two.pdf"), 2 * 1024 ** 3);
  await mkdir(join(cwd, "folder.png"));
  await symlink("../secret.png", join(cwd, "out.png"));
  await symlink(folder, join(cwd, "up"));
  const refused = [
    "../secret.png",
    join(folder, "secret.png"),
    "~/secret.png",
    "out.png",
    "up/secret.png",
    "folder.png",
    "two.pdf",
  ];
  const fenced = "```\nMEDIA:good.png\n```";
  model.enqueue({
    kind: "text",
    chunks: [`Here:\n${refused.map((path) => `MEDIA:${path}\n`).join("")}${fenced}\nMEDIA:good.png`],
  });

  ada.says("Send them all");
  await bot.waitFor(() => ada.replies.length === refused.length + 3);
  ada.says("And?");
  await model.waitForRequests(2);

  const texts = ada.replies.flatMap(({ text }) => text ?? []);
  for (const path of refused) {
    expect(texts.filter((text) => text.startsWith(`MEDIA:${path}\n(Not sent: `))).toHaveLength(1);
    expect(model.requests[1]?.body).toContain(`MEDIA:${path}\\" (`);
  }
  expect([texts[0], texts.at(-1)]).toEqual(["Here:", "MEDIA:good.png"]);
  const files = ada.replies.flatMap(({ photo, document }) => photo ?? document ?? []);
  expect(files.map((file) => bot.bytesOf(file))).toEqual([png]);
});

test("a file that a link leads outside by the time of sending is withheld", async () => {
  await using scope = new AsyncDisposableStack();
  const { bot, ada, model, folder, cwd, running } = await onTelegram(scope);
  await Bun.write(join(folder, "secret.png"), `${new TextDecoder("latin1").decode(png)} secret`);
  await Bun.write(join(cwd, "good.png"), png);
  model.enqueue({ kind: "text", chunks: ["Here:\nMEDIA:good.png\nDone."] });
  bot.fail("sendMessage", { kind: "hold" });

  ada.says("Send it");
  await bot.waitFor(({ held }) => held === 1); // The text before it is in flight.
  await Bun.file(join(cwd, "good.png")).delete();
  await symlink("../secret.png", join(cwd, "good.png"));
  bot.release();
  await bot.waitFor(() => ada.replies.length === 3);

  const { messages } = await createClient(running).call(routes.listChannelMessages, { params: { id: "telegram" } });
  const why = "(Not sent: it leads out of the working folder, or may not be read)";
  expect(ada.replies.map(({ text }) => text)).toEqual(["Here:", "Done.", `MEDIA:good.png\n${why}`]);
  expect(messages.find(({ kind }) => kind === "file")).toMatchObject({
    state: "failed",
    why: "it leads out of the working folder, or may not be read",
  });
});

test("a file too large for Telegram's API is reported to the model", async () => {
  await using scope = new AsyncDisposableStack();
  const { bot, ada, model } = await onTelegram(scope);

  ada.sends({
    kind: "document",
    bytes: new Uint8Array(20_971_521),
    name: "film.mp4",
    mediaType: "video/mp4",
    caption: "Look",
  });
  await bot.waitFor(() => ada.replies.length === 1);

  const told = 'Look\n\n[A file "film.mp4" was sent, and is not here: it is too large.]';
  expect(model.requests[0]?.body).toContain(JSON.stringify(told));
  expect(bot.callsOf("getFile")).toEqual([]);
});

test("a flooding sender is warned once, answered in order, and delays no one else", async () => {
  await using scope = new AsyncDisposableStack();
  const { bot, ada, model, running } = await onTelegram(scope);
  const bob = bot.person({ name: "Bob" });
  const { pairingCode } = await createClient(running).call(routes.createPairingCode, {
    params: { id: "telegram" },
  });
  bob.says(pairingCode.code);
  await bot.waitFor(() => bob.replies.length === 1);
  model.enqueue({ kind: "text", chunks: ["Reply ", "1"], gate: true });

  for (let count = 1; count <= 300; count += 1) ada.says(`Message ${count}.`);
  bob.says("May I, too?");
  await bot.waitFor(({ pending }) => pending.length === 0 && bob.replies.length === 2);
  const before = ada.replies.map(({ text }) => text);
  model.releaseAll();
  await bot.waitFor(() => ada.replies.length === 21);
  ada.says("Again");
  await bot.waitFor(() => ada.replies.length === 22);

  expect(before).toEqual([expect.stringContaining("20 of yours are still waiting")]);
  const bodies = model.requests.map(({ body }) => body).filter((body) => !body.includes("May I, too?"));
  expect(bodies).toHaveLength(21);
  for (const [index, body] of bodies.slice(0, 20).entries()) {
    expect(body).toContain(`Message ${index + 1}.`);
    expect(body).not.toContain(`Message ${index + 2}.`);
  }
  expect(bodies[20]).toContain("Again");
});

test("a sender flooding Discord beyond its buffer is warned once and answered in order", async () => {
  await using scope = new AsyncDisposableStack();
  const world = await createWorld(scope);
  const discord = scope.use(new RecordingDiscordServer({ isStrict: true }));
  const [ada, bob] = [discord.person({ name: "Ada" }), discord.person({ name: "Bob" })];
  await world.host(
    `channels.discord = { enabled = true, api_root = "${discord.url}", people = ["${ada.user.id}", "${bob.user.id}"] }`,
    { DISCORD_BOT_TOKEN: discord.token },
  );
  await discord.waitFor(({ gateway }) => gateway.isConnected);
  const { model } = world;
  model.enqueue({ kind: "text", chunks: ["Reply ", "1"], gate: true });

  for (let count = 1; count <= 700; count += 1) ada.says(`Message ${count}.`);
  await model.waitForRequests(1);
  bob.says("May I, too?");
  await discord.waitFor(() => bob.replies.length === 1 && ada.replies.length === 1);
  const before = ada.replies.map(({ content }) => content);
  model.releaseAll();
  await discord.waitFor(() => ada.replies.length === 21);
  ada.says("Again");
  await discord.waitFor(() => ada.replies.length === 22);

  expect(before).toEqual([expect.stringContaining("20 of yours are still waiting")]);
  const bodies = model.requests.map(({ body }) => body).filter((body) => !body.includes("May I, too?"));
  for (const [index, body] of bodies.slice(0, 20).entries()) {
    expect(body).toContain(`Message ${index + 1}.`);
    expect(body).not.toContain(`Message ${index + 2}.`);
  }
});

test("a flooding unpaired sender gets one line, and no model call", async () => {
  await using scope = new AsyncDisposableStack();
  const { bot, ada, model } = await onTelegram(scope);
  const stranger = bot.person({ name: "Eve" });

  for (let count = 0; count < 300; count += 1) stranger.says(`Buy this, ${count}`);
  ada.says("Hello?");
  await bot.waitFor(({ pending }) => ada.replies.length === 1 && pending.length === 0);

  expect(stranger.replies).toHaveLength(1);
  expect(model.requests).toHaveLength(1);
});

test("an emoji is answered, and a 100 KB reply arrives completely in ordered parts", async () => {
  await using scope = new AsyncDisposableStack();
  const { bot, ada, model } = await onTelegram(scope);
  const words = Array.from({ length: 12_000 }, (_, index) => `word${index}`);
  model.enqueue({ kind: "text", chunks: ["👍"] }, { kind: "text", chunks: [words.join(" ")] });

  ada.says("👍");
  await bot.waitFor(() => ada.replies.length === 1);
  ada.says("x".repeat(100_000));
  await bot.waitFor(() => ada.replies.at(-1)?.text?.includes("word11999") === true);

  const [first, ...parts] = ada.replies.map(({ text = "" }) => text);
  expect(first).toBe("👍");
  expect(parts.join(" ").split(" ")).toEqual(words);
  expect(model.requests[1]?.body).toContain("x".repeat(100_000));
});

test("an answer to a since deleted message arrives once in its Telegram group", async () => {
  await using scope = new AsyncDisposableStack();
  const world = await createWorld(scope);
  const bot = scope.use(new RecordingBotServer({ isStrict: true }));
  const group = bot.group();
  const ada = bot.person({ name: "Ada" });
  const there = ada.in(group);
  await world.host(
    `channels.telegram = { enabled = true, api_root = "${bot.url}", people = ["${ada.user.id}"], groups = ["${group.chat.id}"] }`,
    { TELEGRAM_BOT_TOKEN: bot.token },
  );
  world.model.enqueue({ kind: "text", chunks: ["Fo", "ur."], gate: true }, { kind: "text", chunks: ["Eight."] });

  const question = there.says("@incipit_test_bot two and two?");
  await world.model.waitForRequests(1);
  there.deletes(question);
  world.model.releaseAll();
  await bot.waitFor(() => there.replies.length === 1);
  const next = there.says("@incipit_test_bot four and four?");
  await bot.waitFor(() => there.replies.length === 2);

  expect(there.replies.map(({ text, reply_to_message: answered }) => [text, answered?.message_id])).toEqual([
    ["Four.", undefined],
    ["Eight.", next.message_id],
  ]);
  expect(bot.callsOf("sendMessage").map(({ status }) => status)).toEqual([200, 200]);
});

test("an answer to a since deleted message arrives once in its Discord channel", async () => {
  await using scope = new AsyncDisposableStack();
  const world = await createWorld(scope);
  const discord = scope.use(new RecordingDiscordServer({ isStrict: true }));
  const general = discord.channel();
  const ada = discord.person({ name: "Ada" });
  const there = ada.in(general);
  await world.host(
    `channels.discord = { enabled = true, api_root = "${discord.url}", people = ["${ada.user.id}"], groups = ["${general.guild_id}"] }`,
    { DISCORD_BOT_TOKEN: discord.token },
  );
  await discord.waitFor(({ gateway }) => gateway.isConnected);
  world.model.enqueue({ kind: "text", chunks: ["Fo", "ur."], gate: true }, { kind: "text", chunks: ["Eight."] });

  const question = there.says(`<@${discord.bot.id}> two and two?`);
  await world.model.waitForRequests(1);
  there.deletes(question);
  world.model.releaseAll();
  await discord.waitFor(() => there.replies.length === 1);
  const next = there.says(`<@${discord.bot.id}> four and four?`);
  await discord.waitFor(() => there.replies.length === 2);

  expect(there.replies.map(({ content, referenced_message: answered }) => [content, answered?.id])).toEqual([
    ["Four.", undefined],
    ["Eight.", next.id],
  ]);
});

test("empty replies, endless tool calls and early tokens are each reported once", async () => {
  await using scope = new AsyncDisposableStack();
  const { bot, ada, model } = await onTelegram(
    scope,
    "[extensions.settings.session-orchestrator]\nmax_steps = 5\n",
  );
  const alert = "HEARTBEAT_OK\nbut the disk is full";
  const call = { id: "call", name: "send_file", arguments: '{"path":"missing.png"}' };
  const loop = Array.from({ length: 5 }, () => ({ kind: "tool-calls", calls: [call] }) as const);
  model.enqueue({ kind: "text", chunks: [""] }, ...loop, { kind: "text", chunks: [alert] });

  for (const text of ["Say nothing", "Go round", "And?"]) {
    const before = ada.replies.length;
    ada.says(text);
    await bot.waitFor(() => ada.replies.length === before + 1);
  }

  const [nothing = "", loops = "", third] = ada.replies.map(({ text }) => text);
  expect(nothing).toContain("returned an empty reply");
  expect(loops).toContain("reached its limit of 5 model calls before it was finished");
  expect(third).toBe(alert);
  expect(model.requests).toHaveLength(7);
});
