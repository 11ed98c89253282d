import { expect, test } from "bun:test";
import {
  ActionRowBuilder,
  ApplicationCommandOptionType,
  ButtonBuilder,
  ButtonStyle,
  Client,
  Events,
  GatewayIntentBits,
  MessageFlags,
  Partials,
  type Interaction,
  type Message,
} from "discord.js";
import { RecordingDiscordServer } from "./recording-discord-server.ts";

/** discord.js is the reference for the service's behaviour. */
async function logIn(server: RecordingDiscordServer): Promise<Client<true>> {
  const { Guilds, GuildMessages, DirectMessages, MessageContent } = GatewayIntentBits;
  const client = new Client({
    intents: [Guilds, GuildMessages, DirectMessages, MessageContent],
    partials: [Partials.Channel],
    rest: { api: `${server.url}/api` },
  });
  const ready = new Promise<Client<true>>((resolve) => client.once(Events.ClientReady, resolve));
  await client.login(server.token);
  return ready;
}

function next(client: Client): Promise<Message> {
  return new Promise((resolve) => client.once(Events.MessageCreate, resolve));
}

test("RecordingDiscordServer serves discord.js: login, private chats, channels, threads and replies", async () => {
  await using server = new RecordingDiscordServer({ isStrict: true });
  const channel = server.channel({ name: "general" });
  const thread = server.thread(channel, "details");
  const client = await logIn(server);
  const ada = server.person({ name: "Ada" });
  const heard: unknown[] = [];

  for (const seat of [ada, ada.in(channel), ada.in(thread)]) {
    const coming = next(client);
    const said = seat.says(`hello <@${server.bot.id}>`);
    const message = await coming;
    heard.push([
      message.author.displayName,
      message.content,
      message.mentions.has(client.user),
      message.channel.isThread(),
    ]);
    const echo = next(client);
    await message.reply({ content: "hello yourself", files: [{ attachment: Buffer.from([1, 2]), name: "a.bin" }] });
    await echo;
    expect(seat.replies).toMatchObject([
      {
        content: "hello yourself",
        type: 19,
        referenced_message: { id: said.id },
        attachments: [{ filename: "a.bin" }],
      },
    ]);
  }
  await client.destroy();

  const text = `hello <@${server.bot.id}>`;
  expect(heard).toEqual([
    ["Ada", text, true, false],
    ["Ada", text, true, false],
    ["Ada", text, true, true],
  ]);
});

test("RecordingDiscordServer serves discord.js: commands, buttons, edits, files and message pages", async () => {
  await using server = new RecordingDiscordServer({ isStrict: true });
  const client = await logIn(server);
  const ada = server.person();
  await client.application.commands.set([
    {
      name: "model",
      description: "Choose",
      options: [{ type: ApplicationCommandOptionType.String, name: "name", description: "Which" }],
    },
  ]);
  const answer = async (interaction: Interaction): Promise<void> => {
    if (interaction.isChatInputCommand()) {
      await interaction.deferReply({ flags: MessageFlags.Ephemeral });
      await interaction.editReply(`model ${interaction.options.getString("name")}`);
    } else if (interaction.isButton())
      await interaction.reply({ content: interaction.customId, flags: MessageFlags.Ephemeral });
  };
  client.on(Events.InteractionCreate, (interaction) => void answer(interaction));
  const dm = await client.users.createDM(ada.user.id);
  const button = new ButtonBuilder().setCustomId("yes-1").setLabel("Yes").setStyle(ButtonStyle.Secondary);
  await dm.send({ content: "Sure?", components: [new ActionRowBuilder<ButtonBuilder>().addComponents(button)] });

  const press = ada.presses("Yes");
  const command = ada.runs("model", "openai/gpt");
  await server.waitFor(() => press.answer !== undefined && command.answer !== undefined);
  const edited = new Promise<string | null>((resolve) =>
    client.once(Events.MessageUpdate, (_, message) => resolve(message.content)),
  );
  const coming = next(client);
  const said = ada.sends({
    name: "a.txt",
    bytes: new TextEncoder().encode("hi"),
    type: "text/plain",
    text: "look",
  });
  const [file] = (await coming).attachments.values();
  ada.edits(said, "look here");
  const page = await dm.messages.fetch({ after: said.id.replace(/.$/, "0"), limit: 100, cache: false });

  expect([press.answer, press.isEphemeral, command.answer, command.isEphemeral]).toEqual([
    "yes-1",
    true,
    "model openai/gpt",
    true,
  ]);
  expect(await edited).toBe("look here");
  expect(await (await fetch(file?.url ?? "")).text()).toBe("hi");
  expect([...page.values()].map(({ content }) => content)).toContain("look here");
  await client.destroy();
});

test("RecordingDiscordServer serves discord.js: resuming a session with missed events", async () => {
  await using server = new RecordingDiscordServer();
  const client = await logIn(server);
  const ada = server.person();
  const first = next(client);
  ada.says("one");
  await first;

  const second = next(client);
  server.gateway.askReconnect();
  await server.waitFor(({ gateway }) => !gateway.isConnected);
  ada.says("two");

  expect((await second).content).toBe("two");
  expect(server.gateway.frames.filter(({ op }) => op === 6)).toHaveLength(1);
  await client.destroy();
});
