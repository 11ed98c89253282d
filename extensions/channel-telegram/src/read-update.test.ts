import { expect, test } from "bun:test";
import { telegramUpdateQuirks } from "@incipit/testkit";
import { joinedAlbum, readUpdate, type ReadUpdate } from "./read-update.ts";

const account = { id: 7, username: "my_bot" };
const ada = { id: 42, is_bot: false, first_name: "Ada", last_name: "L." };
const chat = { id: 42, type: "private", first_name: "Ada" };
const base = { message_id: 5, date: 1, chat, from: ada };

function readAny(update: unknown): ReturnType<typeof readUpdate> {
  const download = (): Promise<never> => Promise.reject(new Error("Nothing is read in this test"));
  return readUpdate(update, { account, download });
}

function read(update: object): ReadUpdate | undefined {
  const found = readAny({ update_id: 1, ...update });
  return found === "unreadable" ? undefined : found;
}

for (const { id, does, update, sees } of telegramUpdateQuirks)
  test(`readUpdate, quirk ${id}: ${does}`, () => {
    const found = readAny(update);
    const shown: unknown = found ?? "nothing";

    if (typeof found === "object" && typeof sees === "object") expect(found.update).toMatchObject(sees);
    else expect(shown).toEqual(sees);
  });

test("joinedAlbum joins distinct captions in message order", () => {
  const part = (messageId: number, caption: string): ReadUpdate["update"] => {
    const message = { ...base, message_id: messageId, caption, photo: [{ file_id: "f" }], media_group_id: "a" };
    const found = read({ message });
    if (found === undefined) throw new Error("The part was not read");
    return found.update;
  };

  const album = joinedAlbum([part(7, "third"), part(5, "first"), part(6, "second"), part(8, "first"), part(9, "")]);

  expect(album).toMatchObject({ text: "first\n\nsecond\n\nthird", messageId: "5", others: [{}, {}, {}, {}] });
});

test("readUpdate ignores updates that no person addressed to the bot", () => {
  for (const update of [
    {},
    { poll: { id: "1" } },
    { message: { ...base, from: { ...ada, is_bot: true }, text: "I am a bot" } },
    { message: { ...base, from: undefined, text: "Of a channel" } },
    { message: { ...base, new_chat_members: [ada] } },
    { message: { ...base, text: 7 } },
    { callback_query: { id: "1", from: ada, game_short_name: "chess" } },
  ])
    expect({ update, read: read(update) }).toEqual({ update, read: undefined });
  expect(readAny("nothing")).toBe("unreadable");
  expect(readAny({ update_id: 1, message: "text" })).toBe("unreadable");
});

test("readUpdate maps reply threads to their chat and topics to chats of their own", () => {
  const group = { id: -100_7, type: "supergroup", title: "Team" };
  const message = { ...base, chat: group, text: "a", message_thread_id: 9 };

  expect(read({ message })?.update.chat).toEqual({ id: "-1007", kind: "group", title: "Team" });
  expect(read({ message: { ...message, is_topic_message: true } })?.update.chat.id).toBe("-1007/9");
});

test("readUpdate keeps a mention in the middle of the text, and quoted text", () => {
  const text = "Ask @My_Bot, please";
  const message = {
    ...base,
    text,
    entities: [{ type: "mention", offset: 4, length: 7 }],
    reply_to_message: { ...base, text: "All of it" },
    quote: { text: "of it", position: 4 },
  };

  expect(read({ message })?.update).toMatchObject({ text, isAddressed: true, quoted: "of it" });
  expect(read({ message })?.update.sender).toEqual({ id: "42", name: "Ada L." });
});

test("readUpdate keeps a command with a file as a message", () => {
  const message = {
    ...base,
    caption: "/new look",
    caption_entities: [{ type: "bot_command", offset: 0, length: 4 }],
    document: { file_id: "f", file_size: 3 },
  };

  expect(read({ message })?.update).toMatchObject({
    kind: "message",
    text: "/new look",
    files: [{ mediaType: "application/octet-stream", sizeBytes: 3 }],
  });
});

test("readUpdate returns a command for a message edited into one, unless it addresses another bot", () => {
  const entities = [{ type: "bot_command", offset: 0, length: 5 }];
  const ofOther = { ...base, text: "/stop@other_bot", entities: [{ type: "bot_command", offset: 0, length: 15 }] };

  expect(read({ edited_message: { ...base, text: "/stop", entities } })?.update).toMatchObject({
    kind: "command",
    name: "stop",
    argument: "",
  });
  expect(read({ edited_message: ofOther })).toBeUndefined();
});
