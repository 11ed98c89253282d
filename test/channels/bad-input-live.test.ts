import type { RecordingBotServer } from "@incipit/testkit";
import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { mkdir, symlink, truncate } from "node:fs/promises";
import { join } from "node:path";
import { ChannelWorld, type ChannelHost } from "./channel-world.ts";

async function onTelegram(settings = ""): Promise<{
  readonly world: ChannelWorld;
  readonly ada: ReturnType<RecordingBotServer["person"]>;
  readonly host: ChannelHost;
}> {
  const world = await ChannelWorld.create();
  const ada = world.bot.person({ name: "Ada" });
  const host = await world.start("telegram", `people = ["${ada.user.id}"]\n${settings}`);
  return { world, ada, host };
}

const png = new Uint8Array(Buffer.from("\x89PNG\r\n\x1a\nthe rest", "latin1"));

test("a reply's files outside of the folder are withheld and reported; the rest is sent", async () => {
  const { world, ada } = await onTelegram();
  await using _ = world;
  const { bot, model, folder, cwd } = world;
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
  const { world, ada, host } = await onTelegram();
  await using _ = world;
  const { bot, model, folder, cwd } = world;
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

  const { messages } = await host.client.call(routes.listChannelMessages, { params: { id: "telegram" } });
  const why = "(Not sent: it leads out of the working folder, or may not be read)";
  expect(ada.replies.map(({ text }) => text)).toEqual(["Here:", "Done.", `MEDIA:good.png\n${why}`]);
  expect(messages.find(({ kind }) => kind === "file")).toMatchObject({
    state: "failed",
    why: "it leads out of the working folder, or may not be read",
  });
});

test("a file too large for Telegram's API is reported to the model", async () => {
  const { world, ada } = await onTelegram();
  await using _ = world;
  const { bot, model } = world;

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

test("a sender flooding Discord beyond its buffer is warned once and answered in order", async () => {
  await using world = await ChannelWorld.create();
  const { model, discord } = world;
  const [ada, bob] = [discord.person({ name: "Ada" }), discord.person({ name: "Bob" })];
  await world.start("discord", `people = ["${ada.user.id}", "${bob.user.id}"]`);
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

test("an answer to a since deleted message arrives once in its Telegram group", async () => {
  await using world = await ChannelWorld.create();
  const { bot, model } = world;
  const group = bot.group();
  const ada = bot.person({ name: "Ada" });
  const there = ada.in(group);
  await world.start("telegram", `people = ["${ada.user.id}"]\ngroups = ["${group.chat.id}"]`);
  model.enqueue({ kind: "text", chunks: ["Fo", "ur."], gate: true }, { kind: "text", chunks: ["Eight."] });

  const question = there.says("@incipit_test_bot two and two?");
  await model.waitForRequests(1);
  there.deletes(question);
  model.releaseAll();
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
  await using world = await ChannelWorld.create();
  const { discord, model } = world;
  const general = discord.channel();
  const ada = discord.person({ name: "Ada" });
  const there = ada.in(general);
  await world.start("discord", `people = ["${ada.user.id}"]\ngroups = ["${general.guild_id}"]`);
  model.enqueue({ kind: "text", chunks: ["Fo", "ur."], gate: true }, { kind: "text", chunks: ["Eight."] });

  const question = there.says(`<@${discord.bot.id}> two and two?`);
  await model.waitForRequests(1);
  there.deletes(question);
  model.releaseAll();
  await discord.waitFor(() => there.replies.length === 1);
  const next = there.says(`<@${discord.bot.id}> four and four?`);
  await discord.waitFor(() => there.replies.length === 2);

  expect(there.replies.map(({ content, referenced_message: answered }) => [content, answered?.id])).toEqual([
    ["Four.", undefined],
    ["Eight.", next.id],
  ]);
});

test("empty replies, endless tool calls and early tokens are each reported once", async () => {
  const { world, ada } = await onTelegram("[extensions.settings.session-orchestrator]\nmax_steps = 5\n");
  await using _ = world;
  const { bot, model } = world;
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
