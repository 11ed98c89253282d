import * as z from "zod";
import { givenNameSchema } from "./given-name.ts";
import { approvalSchema } from "./approval.ts";
import {
  conversationIdSchema,
  messageIdSchema,
  sha256Schema,
  stepIdSchema,
  timestampSchema,
  turnIdSchema,
} from "./ids.ts";
import { modelPricesSchema } from "./host-info.ts";
import { messageSchema } from "./message.ts";
import { redactionSchema } from "./redaction.ts";
import { differenceReasonSchema, stepPrefixSchema } from "./step-prefix.ts";
import { systemModeSchema, systemTextsSchema } from "./system-prompt.ts";
import { turnInputSchema } from "./turn-input.ts";
import { finishReasonSchema, usageSchema } from "./turn-event.ts";

/** What a person gives, or the host takes from the first message; one line. */
const titleSchema = z
  .string()
  .trim()
  .min(1)
  .max(1_000)
  .regex(/^[^\p{Cc}\u2028\u2029]*$/u, "must be one line without control characters");

export const conversationSchema = z.object({
  id: conversationIdSchema,
  /** Absolute. */
  cwd: z.string(),
  /** PROVIDER/MODEL. */
  model: z.string(),
  profile: z.string().nullable(),
  /** `null`: nobody gave one, and no message with text was sent. */
  title: z.string().nullable(),
  /** Where it branched off: behind that message; `null` as `messageId`: before the first. */
  forkedFrom: z.object({ conversationId: conversationIdSchema, messageId: messageIdSchema.nullable() }).nullable(),
  /** Of one that came as an export, and of its forks: their tools ask for the folder first. `null`: it was had here. */
  importedAt: timestampSchema.nullable(),
  /** Left out of lists and searches that do not ask for it; else as any other. */
  archived: z.boolean(),
  epoch: z.int().positive(),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
  /** The number of the newest event; 0 before the first. */
  lastSeq: z.int().nonnegative(),
  /** `waiting`: turns that were queued when the host ended run when somebody says so (`resume = "ask"`). */
  status: z.enum(["idle", "running", "compacting", "waiting"]),
  /** Tool calls that wait for an answer, oldest first. */
  approvals: z.array(approvalSchema),
});
export type Conversation = z.infer<typeof conversationSchema>;

export const createConversationRequestSchema = z.strictObject({
  cwd: z.string().optional(),
  model: givenNameSchema.optional(),
  profile: givenNameSchema.optional(),
  title: titleSchema.optional(),
});
export type CreateConversationRequest = z.infer<typeof createConversationRequestSchema>;

export const updateConversationRequestSchema = z
  .strictObject({
    /** `null`: the one that it would have got by itself, from its first message. */
    title: titleSchema.nullable().optional(),
    archived: z.boolean().optional(),
  })
  .refine((request) => Object.keys(request).length > 0, "must name what to change");
export type UpdateConversationRequest = z.infer<typeof updateConversationRequestSchema>;
export const deletedResponseSchema = z.object({ deleted: z.literal(true) });
export const conversationResponseSchema = z.object({ conversation: conversationSchema });
export const conversationsResponseSchema = z.object({
  conversations: z.array(conversationSchema),
  nextCursor: z.string().optional(),
});
export const messagesResponseSchema = z.object({
  messages: z.array(messageSchema),
  nextCursor: z.string().optional(),
});

/** Where a fork branches off; neither: behind the last message of a turn that has ended. */
export const forkConversationRequestSchema = z
  .strictObject({
    /** Id of the last message that the fork has. */
    after: z.string().optional(),
    /** Id of the first message that it has not: to send that one anew, edited. */
    before: z.string().optional(),
    /** Absent: that of its source. */
    title: titleSchema.optional(),
  })
  .refine(({ after, before }) => after === undefined || before === undefined, {
    message: "Name one message, as `after` or as `before`",
  });
export type ForkConversationRequest = z.infer<typeof forkConversationRequestSchema>;

/** Query of every paged list. Lists of conversations are newest first, others oldest first. */
export const pageQuerySchema = z.object({
  /** What the page before gave: an id, or a number of 12 digits. */
  cursor: z
    .string()
    .regex(/^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{12})$/, 'must be the "nextCursor" of the page before')
    .optional(),
  limit: z.coerce.number<number | string>().int().min(1).max(1_000).default(100),
});
export type PageQuery = z.infer<typeof pageQuerySchema>;

/** Which conversations: those that are not archived, those that are, or both. */
export const archivedFilterSchema = z.enum(["false", "true", "all"]);
export type ArchivedFilter = z.infer<typeof archivedFilterSchema>;
export const conversationsQuerySchema = pageQuerySchema.extend({ archived: archivedFilterSchema.default("false") });

export const createTurnRequestSchema = z.strictObject({
  input: turnInputSchema,
  model: givenNameSchema.optional(),
  /** System text for this call only; replaces the conversation's own. */
  system: systemTextsSchema.optional(),
  systemMode: systemModeSchema.optional(),
});
export type CreateTurnRequest = z.infer<typeof createTurnRequestSchema>;
export const turnAcceptedResponseSchema = z.object({ turnId: turnIdSchema });

/** A turn that waits for those before it. */
export const queuedTurnSchema = z.object({
  turnId: turnIdSchema,
  input: z.string(),
  /** 1: the next one. */
  position: z.int().positive(),
});
export type QueuedTurn = z.infer<typeof queuedTurnSchema>;
export const queueResponseSchema = z.object({ queue: z.array(queuedTurnSchema) });

/** How many turns run that had waited. */
export const resumeResponseSchema = z.object({ resumed: z.int().nonnegative() });
export const stopResponseSchema = z.object({ stopped: z.boolean() });
export const compactResponseSchema = z.object({ conversation: conversationSchema, summary: messageSchema });

/** One part of a request in the order of the prefix: tools, system, then each message. */
export const promptPartHashSchema = z.object({ part: z.string(), sha256: sha256Schema, sizeBytes: z.int() });

export const stepSchema = z.object({
  id: stepIdSchema,
  turnId: turnIdSchema,
  epoch: z.int().positive(),
  purpose: z.enum(["turn", "compaction"]),
  model: z.string(),
  startedAt: timestampSchema,
  endedAt: timestampSchema.nullable(),
  /** Requests that left the host for it: more than 1 when it was tried again. */
  attempts: z.int(),
  /** Of the last request's body; `null`: none left the host. */
  requestSha256: sha256Schema.nullable(),
  requestSizeBytes: z.int().nullable(),
  systemSha256: sha256Schema.nullable(),
  /** `tools`, `system`, `message:0` …: those from the first on that the step before had not sent. */
  parts: z.array(promptPartHashSchema),
  /** The first part that is not what the step before sent; `null`: its whole request is a prefix of this one. */
  firstDifference: z.string().nullable(),
  differenceReason: differenceReasonSchema.nullable(),
  /** `null`: nothing left the host, or a version made the record that did not measure it. */
  prefix: stepPrefixSchema.nullable().default(null),
  /** Of the system texts that came with the call, and how they were placed; `null`: there were none. */
  requestTierSha256: sha256Schema.nullable().default(null),
  isPromptBuilderAbsent: z.boolean().default(false),
  /** As they were known when it was sent; `null`: they were not. */
  prices: modelPricesSchema.nullable().default(null),
  usage: usageSchema.nullable(),
  finishReason: finishReasonSchema.nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});
export type Step = z.infer<typeof stepSchema>;
export const stepsResponseSchema = z.object({ steps: z.array(stepSchema), nextCursor: z.string().optional() });

/** The exact request: recorded where the bytes leave the host, and stored without the secrets in it. */
export const stepRequestResponseSchema = z.object({
  method: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  /** Byte for byte what was sent, unless `isRedacted`. */
  body: z.string(),
  /** Of the body that was sent. */
  sha256: sha256Schema,
  /** Of `body`. */
  storedSha256: sha256Schema,
  isRedacted: z.boolean(),
  redactions: z.array(redactionSchema),
  at: timestampSchema,
});
export type StepRequest = z.infer<typeof stepRequestResponseSchema>;
