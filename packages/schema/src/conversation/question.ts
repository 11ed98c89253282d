import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { questionIdSchema, turnIdSchema } from "../values/ids.ts";
import { timestampSchema } from "../values/timestamp.ts";
import { askerSchema } from "./requester.ts";
import { questionFieldSchema } from "./question-field.ts";

/** `accept`: the user filled it in. `decline`: the user refused. `cancel`: no answer. */
export const questionActionSchema = z.enum(["accept", "decline", "cancel"]);
export type QuestionAction = z.infer<typeof questionActionSchema>;

/**
 * How the action came about; all but `answered` are an automatic `cancel`. `withdrawn`: the tool no longer needs an
 * answer. `unattended`: no user is available.
 */
export const questionEndReasonSchema = z.enum([
  "answered",
  "expired",
  "stopped",
  "interrupted",
  "withdrawn",
  "unattended",
]);
export type QuestionEndReason = z.infer<typeof questionEndReasonSchema>;

/** Fields of a tool's question. */
export const questionFields = {
  questionId: questionIdSchema,
  toolCallId: z.string(),
  asker: askerSchema,
  /** Display name: that of the server or provider, else the extension id. */
  from: z.string(),
  /** Text of the question. */
  message: z.string(),
  /** Requested values, in order. Empty for a plain confirmation. */
  fields: z.array(questionFieldSchema),
  /** Cancelled automatically at this time. */
  expiresAt: timestampSchema,
};

/** A tool call's open question for the user. */
export const questionSchema = lazySchema(() => z.object({ ...questionFields, turnId: turnIdSchema }));
export type Question = z.infer<typeof questionSchema>;
