import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

/** One or more strings or token lists. */
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

/** Numbers, or base64 of little-endian 32-bit floats. */
export const embeddingVectorSchema = lazySchema(() => z.union([z.array(z.number()), z.string()]));
export type EmbeddingVector = z.infer<typeof embeddingVectorSchema>;
