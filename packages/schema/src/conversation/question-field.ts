import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

const base = {
  /** Unique in its question; key of the value in the answer. */
  name: z.string(),
  /** Display label. Defaults to `name`. */
  title: z.string().exactOptional(),
  /** More information for the user. */
  description: z.string().exactOptional(),
  /** Whether a value is required. */
  isRequired: z.boolean(),
  /** Looks like a secret, such as a password, which tools should not ask for this way. */
  looksSecret: z.literal(true).exactOptional(),
};
const count = z.int().nonnegative().exactOptional();
const optionSchema = lazySchema(() =>
  z.object({
    /** Value in the answer. */
    value: z.string(),
    title: z.string(),
  }),
);

/** A value requested by a question. */
export const questionFieldSchema = lazySchema(() =>
  z.discriminatedUnion("kind", [
    z.object({
      kind: z.literal("text"),
      ...base,
      /** Format of the text. Defaults to any. */
      format: z.enum(["email", "uri", "date", "date-time"]).exactOptional(),
      /** Minimum number of characters. */
      minLength: count,
      /** Maximum number of characters. */
      maxLength: count,
      default: z.string().exactOptional(),
    }),
    z.object({
      kind: z.literal("number"),
      ...base,
      /** Whether the number must be an integer. */
      isInteger: z.boolean(),
      /** Minimum value. */
      minimum: z.number().exactOptional(),
      /** Maximum value. */
      maximum: z.number().exactOptional(),
      default: z.number().exactOptional(),
    }),
    z.object({ kind: z.literal("boolean"), ...base, default: z.boolean().exactOptional() }),
    z.object({
      kind: z.literal("choice"),
      ...base,
      options: z.array(optionSchema),
      default: z.string().exactOptional(),
    }),
    /** Several options without repetition. */
    z.object({
      kind: z.literal("choices"),
      ...base,
      options: z.array(optionSchema),
      /** Minimum number of choices. */
      minItems: count,
      /** Maximum number of choices. */
      maxItems: count,
      default: z.array(z.string()).exactOptional(),
    }),
  ]),
);
export type QuestionField = z.infer<typeof questionFieldSchema>;

/** Value of one field; a list for a field with several options. */
export const answerValueSchema = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);
export type AnswerValue = z.infer<typeof answerValueSchema>;

/** Values by field name. */
export type AnswerContent = Readonly<Record<string, AnswerValue>>;
