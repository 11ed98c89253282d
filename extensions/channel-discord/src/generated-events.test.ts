import { damagedJson, generatedRuns } from "@incipit/testkit";
import { expect, test } from "bun:test";
import type { APIAttachment, APIMessage, APIUser } from "discord.js";
import fc from "fast-check";
import { interactionSchema, messageSchema } from "./events.ts";
import { isWritten, readEdit, readInteraction, readMessage } from "./read-event.ts";

const runs = generatedRuns(300);
const botId = "7";
const chat = { id: "42", kind: "private", title: "Ada" } as const;
const download = (): Promise<never> => Promise.reject(new Error("Nothing is read in this test"));

const written = fc
  .array(fc.constantFrom("a", "Ä", "财", "🎉", " ", "\n", "@", "*", "_", "~~", "`", "<", ">"), { maxLength: 20 })
  .map((parts) => parts.join(""));
const person: fc.Arbitrary<Pick<APIUser, "id" | "username" | "global_name" | "discriminator" | "avatar">> =
  fc.record({
    id: fc.stringMatching(/^[89]\d{5,17}$/),
    username: fc.stringMatching(/^[a-z]{2,9}$/),
    global_name: fc.option(fc.string()),
    discriminator: fc.constant("0"),
    avatar: fc.constant(null),
  });
const attachment: fc.Arbitrary<
  Pick<APIAttachment, "id" | "filename" | "size" | "url" | "proxy_url" | "content_type">
> = fc.record({
  id: fc.constant("1"),
  filename: fc.string(),
  size: fc.nat(),
  url: fc.webUrl(),
  proxy_url: fc.webUrl(),
  content_type: fc.constantFrom("image/png", "text/plain"),
});
const sticker: fc.Arbitrary<Omit<NonNullable<APIMessage["sticker_items"]>[number], "format_type">> = fc.record({
  id: fc.constant("1"),
  name: fc.stringMatching(/^[a-z]{1,9}$/),
});
const said = fc.record({
  content: written,
  attachments: fc.array(attachment, { maxLength: 2 }),
  sticker_items: fc.array(sticker, { maxLength: 2 }),
});

const message = fc
  .record({
    id: fc.stringMatching(/^[1-9]\d{5,17}$/),
    author: person,
    body: said,
    type: fc.constantFrom(0, 19),
    mentions: fc.array(person, { maxLength: 2 }),
    edited_timestamp: fc.constantFrom(null, "2026-11-24T10:00:00.000Z"),
    answered: fc.option(fc.tuple(person, said), { nil: undefined }),
    snapshots: fc.array(said, { maxLength: 2 }),
  })
  .map(({ body, answered, snapshots, ...fields }) => ({
    channel_id: "9",
    tts: false,
    pinned: false,
    mention_everyone: false,
    mention_roles: [],
    embeds: [],
    timestamp: "2026-11-24T10:00:00.000Z",
    ...fields,
    ...body,
    referenced_message: answered === undefined ? null : { author: answered[0], ...answered[1] },
    ...(snapshots.length === 0 ? {} : { message_snapshots: snapshots.map((copy) => ({ message: copy })) }),
  }));

test("messageSchema and readMessage keep all text and files of any valid message", () => {
  const property = fc.property(message, (sent) => {
    const data = messageSchema.parse(sent);
    expect(isWritten(data)).toBe(true);
    const update = readMessage(data, { botId, chat, download });
    if (update.kind !== "message") throw new Error(`It was read as ${update.kind}`);
    const copies = [sent, ...(sent.message_snapshots ?? []).map(({ message: copy }) => copy)];
    expect(update.files).toHaveLength(copies.flatMap(({ attachments }) => attachments).length);
    for (const { content, sticker_items: stickers } of copies) {
      expect(update.text).toContain(content);
      for (const { name } of stickers) expect(update.text).toContain(name);
    }
    readEdit(data, { botId, chat, nowMs: Date.parse("2026-11-24T10:00:05.000Z") });
  });
  fc.assert(property, runs);
});

test("messageSchema and readMessage never throw for damaged messages", () => {
  const property = fc.property(damagedJson(message), (sent) => {
    const { data } = messageSchema.safeParse(sent);
    if (data === undefined || !isWritten(data)) return;
    expect(typeof readMessage(data, { botId, chat, download }).updateId).toBe("string");
    readEdit(data, { botId, chat, nowMs: 0 });
  });
  fc.assert(property, runs);
});

test("interactionSchema and readInteraction never throw for damaged interactions", () => {
  const interaction = person.map((user) => ({
    id: "1",
    application_id: "2",
    token: "token",
    type: 2,
    channel_id: "9",
    guild_id: "3",
    member: { user, nick: null, roles: [] },
    data: { id: "4", name: "model", type: 1, options: [{ name: "text", type: 3, value: "a" }] },
  }));
  const property = fc.property(interaction, damagedJson(interaction), (whole, damaged) => {
    expect(readInteraction(interactionSchema.parse(whole), chat)).toMatchObject({ kind: "command", name: "model" });
    const { data } = interactionSchema.safeParse(damaged);
    if (data !== undefined) readInteraction(data, chat);
  });
  fc.assert(property, runs);
});
