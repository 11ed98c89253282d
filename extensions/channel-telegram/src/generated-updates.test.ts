import { damagedJson, generatedRuns } from "@incipit/testkit";
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Chat, Message, MessageEntity, Update, User } from "grammy/types";
import { readMove, readUpdate, type ReadUpdate } from "./read-update.ts";

const runs = generatedRuns(300);
const account = { id: 7, username: "my_bot" };
const download = (): Promise<never> => Promise.reject(new Error("Nothing is read in this test"));

const words = fc.array(fc.constantFrom("a", "Ä", "财", "🎉", "👩‍👩‍👧", " ", "\n", "/", "@", "*", "_", "~", "<", "&"), {
  minLength: 1,
  maxLength: 20,
});
const written = words.map((parts) => parts.join("")).filter((text) => text.trim() !== "" && !text.startsWith("/"));
const person: fc.Arbitrary<User> = fc.record(
  {
    id: fc.integer({ min: 1, max: 2 ** 40 }).filter((id) => id !== account.id),
    is_bot: fc.constant(false),
    first_name: fc.string(),
    last_name: fc.string(),
    username: fc.stringMatching(/^[a-z]{5,9}$/),
    is_premium: fc.constant(true as const),
  },
  { requiredKeys: ["id", "is_bot", "first_name"] },
);
const privateChat: fc.Arbitrary<Chat.PrivateChat> = fc.record({
  id: fc.integer({ min: 1, max: 2 ** 40 }),
  type: fc.constant("private" as const),
  first_name: fc.string(),
});
const group: fc.Arbitrary<Chat.SupergroupChat> = fc.record({
  id: fc.integer({ min: -(2 ** 40), max: -1 }),
  type: fc.constant("supergroup" as const),
  title: fc.string(),
});

/** Entities in and beyond the text. */
function entitiesOf(text: string): fc.Arbitrary<MessageEntity[]> {
  const at = { offset: fc.nat(text.length), length: fc.integer({ min: 1, max: 8 }) };
  const plain = fc.record({ type: fc.constantFrom("bold", "italic", "code", "url", "spoiler", "mention"), ...at });
  const link = fc.record({ type: fc.constant("text_link" as const), url: fc.webUrl(), ...at });
  const mention = fc.record({ type: fc.constant("text_mention" as const), user: person, ...at });
  return fc.array(fc.oneof(plain, link, mention), { maxLength: 5 });
}

const said = written.chain((text) =>
  fc.oneof(
    entitiesOf(text).map((entities) => ({ text, entities })),
    entitiesOf(text).map((entities) => ({
      caption: text,
      caption_entities: entities,
      photo: [{ file_id: "f", file_unique_id: "u", width: 1, height: 1 }],
    })),
  ),
);
const fileOf = { file_id: "f", file_unique_id: "u" };
const other: fc.Arbitrary<Partial<Message>> = fc.constantFrom<Partial<Message>>(
  { location: { latitude: 1, longitude: 2 } },
  { contact: { phone_number: "1", first_name: "Bob" } },
  { dice: { emoji: "🎲", value: 3 } },
  { voice: { ...fileOf, duration: 1 } },
  { document: fileOf },
  { video_note: { ...fileOf, length: 1, duration: 1 } },
  { story: { id: 1, chat: { id: 5, type: "private", first_name: "Ada" } } },
);
const content = fc.oneof<fc.Arbitrary<Partial<Message>>[]>(said, other);
const answered = fc.option(content, { nil: undefined });

const message = fc
  .tuple(
    content,
    fc.oneof<fc.Arbitrary<Chat>[]>(privateChat, group),
    person,
    answered,
    fc.option(fc.nat(), { nil: undefined }),
  )
  .map(([sent, chat, from, answer, thread]) => ({
    message_id: 5,
    date: 1,
    chat,
    from,
    ...sent,
    ...(answer === undefined ? {} : { reply_to_message: { message_id: 4, date: 1, chat, from, ...answer } }),
    ...(thread === undefined ? {} : { message_thread_id: thread, is_topic_message: true as const }),
  }));

/** Kinds without user content, which the bot does not subscribe to. */
const silent: fc.Arbitrary<Partial<Update>> = fc.tuple(person, group).map(([from, chat]) => ({
  message_reaction: { chat, message_id: 1, user: from, date: 1, old_reaction: [], new_reaction: [] },
}));

function read(update: unknown): ReturnType<typeof readUpdate> {
  return readUpdate(update, { account, download });
}

function assertRead(found: ReturnType<typeof readUpdate>): asserts found is ReadUpdate {
  expect(found).toBeObject();
}

test("readUpdate keeps all text and URLs of any valid message", () => {
  const property = fc.property(message, (sent) => {
    const found = read({ update_id: 1, message: sent });
    assertRead(found);
    const { update } = found;
    if (update.kind !== "message") throw new Error(`It was read as ${update.kind}`);
    const { text = sent.caption, entities = sent.caption_entities ?? [] } = sent;
    if (text === undefined) {
      expect(update.text !== "" || update.files.length > 0).toBe(true);
      return;
    }
    const isMentioned = entities.some(({ type }) => type === "mention" || type === "text_mention");
    const shown = update.text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
    if (isMentioned) expect(text).toContain(shown);
    else expect(shown).toBe(text);
  });
  fc.assert(property, runs);
});

test("readUpdate reads edits and service updates without an error", () => {
  fc.assert(
    fc.property(message, silent, (sent, more) => {
      expect(read({ update_id: 1, edited_message: { ...sent, edit_date: 2 } })).toBeObject();
      expect(read({ update_id: 1, ...more })).toBeUndefined();
    }),
    runs,
  );
});

test("readUpdate never throws for damaged updates, and names those it cannot read", () => {
  const whole = message.map((sent) => ({ update_id: 1, message: sent }));
  fc.assert(
    fc.property(damagedJson(whole), (update) => {
      const found = read(update);
      expect(found === undefined || found === "unreadable" || typeof found.update.chat.id === "string").toBe(true);
      readMove(update);
    }),
    runs,
  );
});
