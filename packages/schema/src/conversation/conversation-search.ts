import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { messageIdSchema } from "../values/ids.ts";
import { conversationSchema } from "./conversation.ts";

/** Longest snippet, in UTF-16 units. */
export const maxSnippetLength = 160;

/** Where the words of a search were found. */
export const searchMatchSchema = lazySchema(() =>
  z.object({
    /** `null`: it is in the title. */
    messageId: messageIdSchema.nullable(),
    role: z.enum(["user", "assistant"]).nullable(),
    /** A piece of the text around the first range, in one line: control characters are spaces. */
    snippet: z.string().max(maxSnippetLength),
    /** What was found, in UTF-16 units of the snippet; in order, none over another, of whole characters. */
    ranges: z.array(z.object({ start: z.int().nonnegative(), end: z.int().positive() })),
  }),
);
export type SearchMatch = z.infer<typeof searchMatchSchema>;

export const searchResultSchema = lazySchema(() =>
  z.object({
    conversation: conversationSchema,
    /** At most 3: the title first, then the newest messages. */
    matches: z.array(searchMatchSchema),
  }),
);
export type SearchResult = z.infer<typeof searchResultSchema>;
