import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { questionIdSchema, turnIdSchema } from "../values/ids.ts";
import { timestampSchema } from "../values/timestamp.ts";
import { askerSchema } from "./asker.ts";
import { questionFieldSchema } from "./question-field.ts";

/** `accept`: a person filled it in. `decline`: a person does not want to. `cancel`: there is no answer. */
export const questionActionSchema = z.enum(["accept", "decline", "cancel"]);
export type QuestionAction = z.infer<typeof questionActionSchema>;

/**
 * How it came to the action; all but `answered` are a `cancel` that nobody spoke. `withdrawn`: whoever asked wants no answer any
 * more. `unattended`: nobody is there to ask.
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

/** What a question of a tool call says. */
export const questionFields = {
  questionId: questionIdSchema,
  toolCallId: z.string(),
  /** Who asks. */
  asker: askerSchema,
  /** The name of the asker: that of its server or provider, else the id of its extension. */
  from: z.string(),
  /** In its own words. */
  message: z.string(),
  /** What is asked for, in this order. None: whether, and no more. */
  fields: z.array(questionFieldSchema),
  /** Without an answer until then, it is cancelled. */
  expiresAt: timestampSchema,
};

/** A question of a tool call to a person, which waits for an answer. */
export const questionSchema = lazySchema(() => z.object({ ...questionFields, turnId: turnIdSchema }));
export type Question = z.infer<typeof questionSchema>;
