import { lenient, readableItems } from "@incipit/common/channels";
import * as z from "zod";

/** https://core.telegram.org/bots/api#update */

const text = lenient(z.string());
const userSchema = z.looseObject({
  id: z.int(),
  is_bot: z.boolean().catch(false),
  first_name: text,
  last_name: text,
  username: text,
});
export type User = z.infer<typeof userSchema>;

const chatSchema = z.looseObject({ id: z.int(), type: z.string(), title: text, first_name: text, last_name: text });

const entitySchema = z.looseObject({
  type: z.string(),
  offset: z.int().nonnegative(),
  length: z.int().positive(),
  user: lenient(userSchema),
  url: text,
});
export type Entity = z.infer<typeof entitySchema>;

const fileSchema = z.looseObject({
  file_id: z.string(),
  file_size: lenient(z.int()),
  file_name: text,
  mime_type: text,
});
const entities = readableItems(entitySchema);
const file = lenient(fileSchema);
const point = z.looseObject({ latitude: z.number(), longitude: z.number() });

const placeSchema = z.looseObject({
  message_id: z.int(),
  chat: chatSchema,
  message_thread_id: lenient(z.int()),
  is_topic_message: lenient(z.boolean()),
});
export type Place = z.infer<typeof placeSchema>;

const saidSchema = placeSchema.extend({
  from: lenient(userSchema),
  /** The group of an anonymous administrator, or the channel that a user writes as. */
  sender_chat: lenient(chatSchema),
  author_signature: text,
  /** Forwarded automatically from the group's linked channel. */
  is_automatic_forward: lenient(z.boolean()),
  text,
  entities,
  caption: text,
  caption_entities: entities,
  media_group_id: text,
  photo: readableItems(fileSchema),
  document: file,
  audio: file,
  voice: file,
  video: file,
  video_note: file,
  animation: file,
  sticker: file,
  location: lenient(point),
  venue: lenient(z.looseObject({ location: lenient(point), title: text, address: text })),
  contact: lenient(z.looseObject({ phone_number: text, first_name: text, last_name: text })),
  poll: lenient(z.looseObject({ question: text, options: readableItems(z.looseObject({ text: z.string() })) })),
  dice: lenient(z.looseObject({ emoji: text, value: lenient(z.int()) })),
  checklist: lenient(z.looseObject({ title: text, tasks: readableItems(z.looseObject({ text: z.string() })) })),
});
export type Said = z.infer<typeof saidSchema>;

export const messageSchema = saidSchema.extend({
  reply_to_message: lenient(saidSchema),
  quote: lenient(z.looseObject({ text: z.string(), entities })),
  migrate_to_chat_id: lenient(z.int()),
  migrate_from_chat_id: lenient(z.int()),
});
export type Message = z.infer<typeof messageSchema>;

export const pressSchema = z.looseObject({
  id: z.string(),
  from: userSchema,
  message: lenient(placeSchema),
  data: text,
});

export const stoppedSchema = z.looseObject({
  chat: chatSchema,
  message_thread_id: lenient(z.int()),
  draft_id: z.int(),
});

export const updateKinds = ["message", "edited_message", "callback_query", "stopped_message_generation"] as const;

export const updateSchema = z.looseObject({ update_id: z.int() });
