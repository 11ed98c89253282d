import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

/** A text, several, or the tokens of one or several. */
export const embeddingInputSchema = lazySchema(() =>
  z.union(
    [
      z.string().min(1),
      z.array(z.string().min(1)).min(1),
      z.array(z.int().nonnegative()).min(1),
      z.array(z.array(z.int().nonnegative()).min(1)).min(1),
    ],
    { error: "must be a text, a list of texts, or the tokens of one or several, and none of them empty" },
  ),
);
export type EmbeddingInput = z.infer<typeof embeddingInputSchema>;

/** The numbers, or their bytes as base64: 32 bits each, little end first. */
export const embeddingVectorSchema = lazySchema(() => z.union([z.array(z.number()), z.string()]));
export type EmbeddingVector = z.infer<typeof embeddingVectorSchema>;
