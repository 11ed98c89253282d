import { discordMessageQuirks } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { messageSchema, type DiscordMessage } from "./events.ts";
import { isWritten, readEdit, readMessage } from "./read-event.ts";

const botId = "7";
const chat = { id: "42", kind: "private", title: "Ada" } as const;
const ada = { id: "42", username: "ada", global_name: "Ada L." };
const nowMs = Date.parse("2026-11-24T10:00:05.000Z");
const download = (): Promise<never> => Promise.reject(new Error("Nothing is read in this test"));

function message(fields: object): DiscordMessage {
  return messageSchema.parse({ id: "5", channel_id: "9", author: ada, type: 0, ...fields });
}

function read(fields: object): ReturnType<typeof readMessage> {
  return readMessage(message(fields), { botId, chat, download });
}

for (const { id, does, message: given, sees } of discordMessageQuirks)
  test(`readMessage, quirk ${id}: ${does}`, () => {
    const { data } = messageSchema.safeParse(given);

    const found: unknown = data === undefined ? "unreadable" : readMessage(data, { botId, chat, download });

    if (typeof sees === "object") expect(found).toMatchObject(sees);
    else expect(found).toBe(sees);
  });

test("isWritten rejects messages that no person wrote", () => {
  for (const fields of [{ author: { ...ada, bot: true } }, { webhook_id: "1" }, { type: 7 }, { type: 20 }])
    expect({ fields, isWritten: isWritten(message(fields)) }).toEqual({ fields, isWritten: false });
  expect(isWritten(message({ type: 19 }))).toBe(true);
});

test("messageSchema rejects malformed events, even with extra fields", () => {
  for (const given of [{}, "text", { ...message({}), id: "../1" }, { ...message({}), author: null }])
    expect(messageSchema.safeParse(given).success).toBe(false);
});

test("readMessage parses a typed command, and keeps text with a file as a message", () => {
  const file = { filename: "a.png", url: "https://cdn.discordapp.com/a.png" };

  expect(read({ content: "/model openai/gpt" })).toMatchObject({
    kind: "command",
    name: "model",
    argument: "openai/gpt",
  });
  expect(read({ content: "/etc/passwd is a file" })).toMatchObject({ kind: "message" });
  expect(read({ content: "/new", attachments: [file] })).toMatchObject({
    kind: "message",
    text: "/new",
    files: [{ name: "a.png", mediaType: "application/octet-stream", sizeBytes: undefined }],
  });
});

test("readMessage strips a leading bot mention and replaces other mentions with names", () => {
  const mentions = [
    { id: botId, username: "bot" },
    { id: "8", username: "bob" },
  ];

  expect(read({ content: "<@7>: ask <@!8> and <@7>", mentions })).toMatchObject({
    text: "ask @bob and <@7>",
    isAddressed: true,
  });
  expect(read({ content: "<@8> look", mentions: mentions.slice(1) })).toMatchObject({
    text: "@bob look",
    isAddressed: false,
  });
});

test("readMessage includes forwarded text and uses server nicknames", () => {
  const snapshot = { message: { content: "from elsewhere", attachments: [] } };

  expect(read({ content: "", message_snapshots: [snapshot], member: { nick: "Countess" } })).toMatchObject({
    text: "from elsewhere",
    sender: { id: "42", name: "Countess" },
  });
});

test("readEdit derives an update id for an edit and ignores unedited messages", () => {
  const edited = { content: "new", edited_timestamp: "2026-11-24T10:00:00.000Z" };

  expect(readEdit(message(edited), { botId, chat, nowMs })).toMatchObject({
    updateId: `5-${Date.parse(edited.edited_timestamp)}`,
    messageId: "5",
    text: "new",
  });
  expect(readEdit(message({ content: "new" }), { botId, chat, nowMs })).toBeUndefined();
});

test("readEdit returns a command when an addressed message is edited into one", () => {
  const edited = message({ content: "/stop", edited_timestamp: "2026-11-24T10:00:00.000Z" });
  const group = { id: "1/9", kind: "group", title: "#room" } as const;

  expect(readEdit(edited, { botId, chat, nowMs })).toMatchObject({ kind: "command", name: "stop", argument: "" });
  expect(readEdit(edited, { botId, chat: group, nowMs })).toMatchObject({ kind: "edit", text: "/stop" });
});

test("readEdit ignores a message pinned days after its edit", () => {
  const edited = message({ content: "coffee", edited_timestamp: "2026-11-24T10:00:00.000Z" });
  const dayMs = 24 * 3_600_000;

  expect(readEdit(edited, { botId, chat, nowMs: nowMs + dayMs / 2 })).toMatchObject({ kind: "edit" });
  expect(readEdit(edited, { botId, chat, nowMs: nowMs + 3 * dayMs })).toBeUndefined();
});

test("readMessage ignores previews of links, whose address can differ from the link", () => {
  const preview = { type: "video", title: "Tides", url: "https://www.youtube.com/watch?v=1", description: "About" };
  const post = { ...preview, type: "rich" };
  const said = { content: "https://youtu.be/1", embeds: [preview, post] };

  expect(read(said)).toMatchObject({ text: "https://youtu.be/1" });
  expect(read({ content: "Why?", referenced_message: { ...said, author: ada } })).toMatchObject({
    quoted: "https://youtu.be/1",
  });
  expect(read({ message_snapshots: [{ message: { ...said, embeds: [preview] } }] })).toMatchObject({
    text: "https://youtu.be/1",
  });
  const answered = { content: "", embeds: [post], author: { ...ada, bot: true } };
  expect(read({ content: "Why?", referenced_message: answered })).toMatchObject({
    quoted: "[Tides](https://www.youtube.com/watch?v=1)\nAbout",
  });
});
