import * as z from "zod";
import { conversationSchema, conversationsQuerySchema } from "./conversation.ts";
import { messageIdSchema } from "./ids.ts";

/** Longest snippet, in UTF-16 units. */
export const maxSnippetLength = 160;

export const searchConversationsQuerySchema = conversationsQuerySchema.extend({
  /** Words, each of which has to occur somewhere in one title or message; a "phrase in quotes" is one of them. */
  q: z.string().trim().min(1).max(200),
  /** What the page before gave: an id of a conversation, with a place in it where the search was in its middle. */
  cursor: z
    .string()
    .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(:\d{1,12})?$/, 'must be the "nextCursor" of the page before')
    .optional(),
});

export const searchMatchSchema = z.object({
  /** `null`: it is in the title. */
  messageId: messageIdSchema.nullable(),
  role: z.enum(["user", "assistant"]).nullable(),
  /** A piece of the text around the first range, in one line: control characters are spaces. */
  snippet: z.string().max(maxSnippetLength),
  /** What was found, in UTF-16 units of the snippet; in order, none over another, of whole characters. */
  ranges: z.array(z.object({ start: z.int().nonnegative(), end: z.int().positive() })),
});
export type SearchMatch = z.infer<typeof searchMatchSchema>;

export const searchResultSchema = z.object({
  conversation: conversationSchema,
  /** At most 3: the title first, then the newest messages. */
  matches: z.array(searchMatchSchema),
});
export type SearchResult = z.infer<typeof searchResultSchema>;

export const searchConversationsResponseSchema = z.object({
  results: z.array(searchResultSchema),
  nextCursor: z.string().optional(),
});
