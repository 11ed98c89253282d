import {
  approvalDecisionSchema,
  approvalIdSchema,
  conversationIdSchema,
  lazySchema,
  turnIdSchema,
} from "@incipit/schema";
import * as z from "zod";

export const storedChatSchema = lazySchema(() =>
  z.object({
    id: z.string(),
    kind: z.enum(["private", "group"]),
    title: z.string(),
    conversationId: conversationIdSchema.nullable(),
    model: z.string().nullable(),
    profile: z.string().nullable(),
    isToldFull: z.boolean(),
  }),
);
export type StoredChat = z.infer<typeof storedChatSchema>;

export const storedOwedSchema = lazySchema(() =>
  z.object({
    conversationId: conversationIdSchema,
    turnId: turnIdSchema,
    afterSeq: z.int().nonnegative(),
    messageId: z.string(),
    isGroup: z.boolean(),
    /** `null` in older entries. */
    senderId: z.string().nullable().default(null),
    /** Whether the sender has replaced the message, so that it must not run. */
    isReplaced: z.boolean(),
    /** Whether the message has more than text, such as files, so that an edit of the text cannot replace it. */
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
    hasRoom: z.boolean(),
    approvalId: approvalIdSchema.nullable(),
  }),
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
    notBeforeMs: z.int(),
    /** If the clock shows an earlier time, it was set back, and the wait is void. */
    waitsSinceMs: z.int().default(0),
    retriedAs: z.string().nullable(),
  }),
);
export type StoredMessage = z.infer<typeof storedMessageSchema>;

export const storedAskSchema = lazySchema(() =>
  z.object({
    chatId: z.string(),
    conversationId: conversationIdSchema,
    turnId: turnIdSchema,
    /** The decisions a press may make: a truncated request cannot be allowed. */
    offers: z.array(approvalDecisionSchema),
  }),
);
export type StoredAsk = z.infer<typeof storedAskSchema>;
export const storedPersonSchema = lazySchema(() => z.object({ name: z.string(), pairedMs: z.int() }));
export const storedPairingSchema = lazySchema(() =>
  z.object({
    codes: z.array(z.object({ sha256: z.string(), expiresMs: z.int() })),
    tries: z.array(z.tuple([z.string(), z.int()])),
  }),
);
export type StoredPairing = z.infer<typeof storedPairingSchema>;
export const storedMoveSchema = lazySchema(() => z.object({ from: z.string() }));
export const storedToldSchema = lazySchema(() => z.object({ toldMs: z.int() }));
export const storedNoteSchema = lazySchema(() =>
  z.object({ conversationId: conversationIdSchema, text: z.string() }),
);
export const storedNothingSchema = lazySchema(() => z.object({}));
export const storedChannelSchema = lazySchema(() => z.object({ id: z.string() }));
