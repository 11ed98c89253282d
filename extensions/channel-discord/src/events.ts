import { lenient, readableItems } from "@incipit/common/channels";
import * as z from "zod";

/** https://docs.discord.com/developers/events/gateway-events */

const idSchema = z.string().regex(/^\d{1,20}$/);
const text = lenient(z.string());
const userSchema = z.looseObject({
  id: idSchema,
  username: z.string().catch(""),
  global_name: text,
  bot: z.boolean().catch(false),
});
export type DiscordUser = z.infer<typeof userSchema>;

const attachmentSchema = z.looseObject({
  filename: text,
  content_type: text,
  size: lenient(z.int()),
  url: z.string(),
});
export type DiscordAttachment = z.infer<typeof attachmentSchema>;

const saidSchema = z.looseObject({
  content: z.string().catch(""),
  attachments: readableItems(attachmentSchema),
  /** Cards of bots, and previews of links. */
  embeds: readableItems(
    z.looseObject({
      type: text,
      title: text,
      url: text,
      description: text,
      fields: readableItems(z.looseObject({ name: z.string(), value: z.string() })),
    }),
  ),
  sticker_items: readableItems(z.looseObject({ name: z.string() })),
  poll: lenient(
    z.looseObject({
      question: z.looseObject({ text }),
      answers: readableItems(z.looseObject({ poll_media: z.looseObject({ text: z.string() }) })),
    }),
  ),
});
export type DiscordSaid = z.infer<typeof saidSchema>;

export const messageSchema = saidSchema.extend({
  id: idSchema,
  channel_id: idSchema,
  guild_id: idSchema.nullish().transform((id) => id ?? undefined),
  author: userSchema,
  webhook_id: text,
  member: lenient(z.looseObject({ nick: text })),
  /** Type: 0 is a message, 19 a reply; all others are system messages. */
  type: z.int(),
  mentions: readableItems(userSchema),
  edited_timestamp: text,
  referenced_message: lenient(saidSchema.extend({ author: userSchema })),
  message_snapshots: readableItems(z.looseObject({ message: saidSchema })),
});
export type DiscordMessage = z.infer<typeof messageSchema>;
export const messagesSchema = z.array(z.unknown());

export const interactionSchema = z.looseObject({
  id: idSchema,
  application_id: idSchema,
  token: z.string().regex(/^[\w-]+$/),
  /** Type: 2 is a command, 3 a button. */
  type: z.int(),
  channel_id: idSchema,
  guild_id: idSchema.nullish().transform((id) => id ?? undefined),
  member: lenient(z.looseObject({ user: userSchema, nick: text })),
  user: lenient(userSchema),
  /** Context; 2 is a chat between other people. */
  context: lenient(z.int()),
  data: z.looseObject({
    name: text,
    custom_id: text,
    options: readableItems(z.looseObject({ value: z.unknown() })),
  }),
});
export type DiscordInteraction = z.infer<typeof interactionSchema>;

export const channelSchema = z.looseObject({
  id: idSchema,
  type: z.int(),
  name: z.string().nullish(),
  guild_id: idSchema.optional(),
  parent_id: idSchema.nullish(),
});
export const createdSchema = z.looseObject({ id: idSchema });
