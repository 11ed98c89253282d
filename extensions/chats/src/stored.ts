import {
  approvalDecisionSchema,
  approvalIdSchema,
  conversationIdSchema,
  lazySchema,
  turnIdSchema,
} from "@incipit/schema";
import * as z from "zod";

/** Where somebody writes, and which conversation that is at the moment. */
export const storedChatSchema = lazySchema(() =>
  z.object({
    id: z.string(),
    kind: z.enum(["private", "group"]),
    title: z.string(),
    /** `null`: one begins with the next message. */
    conversationId: conversationIdSchema.nullable(),
    /** What its people chose by command; `null`: nothing. */
    model: z.string().nullable(),
    profile: z.string().nullable(),
    /** It was told that too much waits. */
    isToldFull: z.boolean(),
  }),
);
export type StoredChat = z.infer<typeof storedChatSchema>;

/** A turn whose reply a chat is owed. */
export const storedOwedSchema = lazySchema(() =>
  z.object({
    conversationId: conversationIdSchema,
    turnId: turnIdSchema,
    /** A number before the turn's first event. */
    afterSeq: z.int().nonnegative(),
    /** The message that it answers; empty: it came without one. */
    messageId: z.string(),
    isGroup: z.boolean(),
    /** `null`: an earlier host did not keep it. */
    senderId: z.string().nullable().default(null),
    /** Its sender has put another one in its place: it is not to run. */
    isReplaced: z.boolean(),
    /** It holds more than its text, such as files: no edit of that alone stands in its place. */
    hasMore: z.boolean().default(false),
  }),
);
export type StoredOwed = z.infer<typeof storedOwedSchema>;

const storedContentSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("text"),
    text: z.string(),
    buttons: z.array(z.object({ id: z.string(), label: z.string() })),
    replyTo: z.string().nullable(),
    /** Its age fits in front of it. */
    hasRoom: z.boolean(),
    /** The approval of whose question it is a part; `null`: of none. */
    approvalId: approvalIdSchema.nullable(),
  }),
  /** Its bytes are read when it is sent. */
  z.object({
    kind: z.literal("file"),
    conversationId: conversationIdSchema,
    path: z.string(),
    name: z.string(),
    mediaType: z.string(),
  }),
]);
export type StoredContent = z.infer<typeof storedContentSchema>;

export const storedMessageSchema = lazySchema(() =>
  z.object({
    id: z.string(),
    chatId: z.string(),
    content: storedContentSchema,
    state: z.enum(["waiting", "sending", "sent", "failed", "unknown"]),
    why: z.string().nullable(),
    createdMs: z.int(),
    endedMs: z.int().nullable(),
    attempts: z.int().nonnegative(),
    /** The service takes nothing before. */
    notBeforeMs: z.int(),
    /** When that was found: a clock that shows an earlier time was set back, and says nothing of what is left to wait. */
    waitsSinceMs: z.int().default(0),
    retriedAs: z.string().nullable(),
  }),
);
export type StoredMessage = z.infer<typeof storedMessageSchema>;

/** A question that was asked in a chat: who answers it does so by its buttons. */
export const storedAskSchema = lazySchema(() =>
  z.object({
    chatId: z.string(),
    conversationId: conversationIdSchema,
    turnId: turnIdSchema,
    /** What a press may say: what the chat did not show whole is not allowed from it. */
    offers: z.array(approvalDecisionSchema),
  }),
);
export type StoredAsk = z.infer<typeof storedAskSchema>;
export const storedPersonSchema = lazySchema(() => z.object({ name: z.string(), pairedMs: z.int() }));
export const storedPairingSchema = lazySchema(() =>
  z.object({
    codes: z.array(z.object({ sha256: z.string(), expiresMs: z.int() })),
    /** How many wrong ones who has sent, since there are codes. */
    tries: z.array(z.tuple([z.string(), z.int()])),
  }),
);
export type StoredPairing = z.infer<typeof storedPairingSchema>;
/** The id that a chat had before. */
export const storedMoveSchema = lazySchema(() => z.object({ from: z.string() }));
export const storedToldSchema = lazySchema(() => z.object({ toldMs: z.int() }));
export const storedNoteSchema = lazySchema(() =>
  z.object({ conversationId: conversationIdSchema, text: z.string() }),
);
export const storedNothingSchema = lazySchema(() => z.object({}));
export const storedChannelSchema = lazySchema(() => z.object({ id: z.string() }));
