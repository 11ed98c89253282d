import type { JsonObject } from "./json-schema.ts";
import { channelWords } from "./words/channel-words.ts";
import { chatWords } from "./words/chat-words.ts";
import { messageWords } from "./words/message-words.ts";
import { clientConversationWords } from "./words/client-conversation-words.ts";
import { commonWords } from "./words/common-words.ts";
import { conversationWords } from "./words/conversation-words.ts";
import { fileChangeWords } from "./words/file-change-words.ts";
import type { FieldWords } from "./words/field-words.ts";
import { hostWords } from "./words/host-words.ts";
import { profileWords } from "./words/profile-words.ts";
import { promptWords } from "./words/prompt-words.ts";
import { recordWords } from "./words/record-words.ts";
import { heartbeatWords } from "./words/heartbeat-words.ts";
import { unattendedWords } from "./words/unattended-words.ts";
import { responseWords } from "./words/response-words.ts";
import { scheduleWords } from "./words/schedule-words.ts";
import { skillWords } from "./words/skill-words.ts";
import { shapeWords } from "./words/shape-words.ts";

/** Duplicate keys would hide each other; a test detects them. */
export const wordLists: readonly FieldWords[] = [
  commonWords,
  conversationWords,
  fileChangeWords,
  recordWords,
  promptWords,
  profileWords,
  skillWords,
  chatWords,
  messageWords,
  responseWords,
  clientConversationWords,
  heartbeatWords,
  scheduleWords,
  unattendedWords,
  channelWords,
  hostWords,
];
const wordsByKey = new Map(wordLists.flatMap((list) => Object.entries(list)));

/** Adds descriptions to named schemas and their fields. */
export function describedShapes(schemas: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      { description: shapeWords[name], ...Object(described(name, schema)) },
    ]),
  );
}

/**
 * Adds descriptions to the fields of a schema. The most specific key wins: `Conversation.title` before `title`.
 * @param owner Name of the schema, or of its route.
 */
export function described(owner: string, schema: unknown): unknown {
  return withWords(schema, [owner]);
}

/** Returns the most specific key with a description, if any. */
export function keyOf([owner = "", ...fields]: readonly string[]): string | undefined {
  const owners = [owner, kindOf(owner)];
  const keys = [
    ...owners.map((name) => [name, ...fields].join(".")),
    ...fields.map((_, index) => fields.slice(index).join(".")),
  ];
  return keys.find((key) => wordsByKey.has(key));
}

/** Shared fields of events, parts and errors are described once. */
function kindOf(owner: string): string {
  return /(Event|Part)$/.exec(owner)?.[1] ?? owner.replace(/^Error\d+$/, "Error");
}

function withWords(schema: unknown, path: readonly string[]): unknown {
  if (Array.isArray(schema)) return schema.map((part) => withWords(part, path));
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === "properties" ? fieldsWithWords(value, path) : key === "example" ? value : withWords(value, path),
    ]),
  );
}

function fieldsWithWords(properties: JsonObject, path: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const place = [...path, name];
      const key = keyOf(place);
      const words = key === undefined ? {} : { description: wordsByKey.get(key) };
      return [name, { ...Object(withWords(schema, place)), ...words }];
    }),
  );
}
