import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

const base = {
  /** Unique in its question; the key of its value in an answer. */
  name: z.string(),
  /** What people read in the place of `name`. */
  title: z.string().exactOptional(),
  description: z.string().exactOptional(),
  isRequired: z.boolean(),
  /** It seems to be a secret, such as a password: nobody should be asked for one this way. */
  looksSecret: z.literal(true).exactOptional(),
};
const count = z.int().nonnegative().exactOptional();
const optionSchema = lazySchema(() => z.object({ value: z.string(), title: z.string() }));

/** One value that a question asks for. */
export const questionFieldSchema = lazySchema(() =>
  z.discriminatedUnion("kind", [
    z.object({
      kind: z.literal("text"),
      ...base,
      format: z.enum(["email", "uri", "date", "date-time"]).exactOptional(),
      /** In characters. */
      minLength: count,
      maxLength: count,
      default: z.string().exactOptional(),
    }),
    z.object({
      kind: z.literal("number"),
      ...base,
      /** A whole number. */
      isInteger: z.boolean(),
      minimum: z.number().exactOptional(),
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
    /** Several of them, each once. */
    z.object({
      kind: z.literal("choices"),
      ...base,
      options: z.array(optionSchema),
      minItems: count,
      maxItems: count,
      default: z.array(z.string()).exactOptional(),
    }),
  ]),
);
export type QuestionField = z.infer<typeof questionFieldSchema>;

/** What a person gives for one of them. */
export const answerValueSchema = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);
export type AnswerValue = z.infer<typeof answerValueSchema>;

/** By the names of the fields. */
export type AnswerContent = Readonly<Record<string, AnswerValue>>;
