import { embeddingInputSchema, embeddingVectorSchema, clientNameSchema, lazySchema } from "@incipit/schema";
import * as z from "zod";

// Formats of OpenAI's embeddings: https://platform.openai.com/docs/api-reference/embeddings

/** Unknown fields are vendor fields, such as `input_type`. */
export const embeddingsRequestSchema = lazySchema(() =>
  z.looseObject({
    /** PROVIDER/MODEL. */
    model: clientNameSchema,
    input: embeddingInputSchema,
    /** `base64`: 32-bit numbers as bytes. Defaults to the vendor's. */
    encoding_format: z.enum(["float", "base64"], { error: 'must be "float" or "base64"' }).nullish(),
    /** Number of dimensions. Defaults to the model's. */
    dimensions: z.int().positive().nullish(),
    /** Accepted, but ignored. */
    user: z.unknown().optional(),
  }),
);
export type EmbeddingsRequest = z.infer<typeof embeddingsRequestSchema>;

export const embeddingsResponseSchema = lazySchema(() =>
  z.object({
    object: z.literal("list"),
    /** Vectors in the order of the texts. */
    data: z.array(
      z.object({
        object: z.literal("embedding"),
        /** Index of the text, from 0. */
        index: z.int(),
        embedding: embeddingVectorSchema,
      }),
    ),
    /** PROVIDER/MODEL. */
    model: z.string(),
    usage: z
      .object({
        /** Tokens of the texts. */
        prompt_tokens: z.int(),
        /** Tokens of the texts. */
        total_tokens: z.int(),
      })
      .exactOptional(),
  }),
);
