import * as z from "zod";

/** What is read of events and answers: https://docs.discord.com/developers/events/gateway-events. All else is passed over. */

const idSchema = z.string().regex(/^\d{1,20}$/);
const userSchema = z.looseObject({
  id: idSchema,
  username: z.string().default(""),
  global_name: z.string().nullish(),
  bot: z.boolean().default(false),
});
export type DiscordUser = z.infer<typeof userSchema>;

const attachmentSchema = z.looseObject({
  filename: z.string().optional(),
  content_type: z.string().nullish(),
  size: z.int().optional(),
  url: z.string(),
});
export type DiscordAttachment = z.infer<typeof attachmentSchema>;

const saidSchema = z.looseObject({
  content: z.string().default(""),
  attachments: z.array(attachmentSchema).default([]),
});
export const messageSchema = saidSchema.extend({
  id: idSchema,
  channel_id: idSchema,
  guild_id: idSchema.optional(),
  author: userSchema,
  webhook_id: z.string().optional(),
  member: z.looseObject({ nick: z.string().nullish() }).optional(),
  /** 0 is what somebody says, 19 the same as a reply; the others are of the service. */
  type: z.int(),
  mentions: z.array(userSchema).default([]),
  edited_timestamp: z.string().nullish(),
  referenced_message: saidSchema.extend({ author: userSchema }).nullish(),
  /** Copies of what was forwarded. */
  message_snapshots: z.array(z.looseObject({ message: saidSchema })).optional(),
});
export type DiscordMessage = z.infer<typeof messageSchema>;
export const messagesSchema = z.array(z.unknown());

export const interactionSchema = z.looseObject({
  id: idSchema,
  application_id: idSchema,
  token: z.string().regex(/^[\w-]+$/),
  /** 2 is a command, 3 a button. */
  type: z.int(),
  channel_id: idSchema,
  guild_id: idSchema.optional(),
  member: z.looseObject({ user: userSchema, nick: z.string().nullish() }).optional(),
  user: userSchema.optional(),
  /** 2: a chat of other people. */
  context: z.int().nullish(),
  data: z.looseObject({
    name: z.string().optional(),
    custom_id: z.string().optional(),
    options: z.array(z.looseObject({ value: z.unknown() })).default([]),
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
