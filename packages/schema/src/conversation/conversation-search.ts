import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { messageIdSchema } from "../values/ids.ts";
import { conversationSchema } from "./conversation.ts";

/** In UTF-16 units. */
export const maxSnippetLength = 160;

/** A place where search words were found. */
const searchMatchSchema = lazySchema(() =>
  z.object({
    /** `null` for the title. */
    messageId: messageIdSchema.nullable(),
    /** Author of the message; `null` for the title. */
    role: z.enum(["user", "assistant"]).nullable(),
    /** Text around the first range, on one line; control characters become spaces. */
    snippet: z.string().max(maxSnippetLength),
    /** Matches in the snippet, in UTF-16 units: ordered, not overlapping, on character boundaries. */
    ranges: z.array(z.object({ start: z.int().nonnegative(), end: z.int().positive() })),
  }),
);
export type SearchMatch = z.infer<typeof searchMatchSchema>;

/** A conversation that matches a search. */
export const searchResultSchema = lazySchema(() =>
  z.object({
    conversation: conversationSchema,
    /** At most 3: the title first, then the newest messages. */
    matches: z.array(searchMatchSchema),
  }),
);
export type SearchResult = z.infer<typeof searchResultSchema>;
