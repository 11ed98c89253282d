import { embeddingInputSchema, embeddingVectorSchema, clientNameSchema, lazySchema } from "@incipit/schema";
import * as z from "zod";

// Formats of OpenAI's embeddings: https://platform.openai.com/docs/api-reference/embeddings

/** Unknown fields are vendor fields, such as `input_type`. */
export const embeddingsRequestSchema = lazySchema(() =>
  z.looseObject({
    /** PROVIDER/MODEL. */
    model: clientNameSchema,
    input: embeddingInputSchema,
    encoding_format: z.enum(["float", "base64"], { error: 'must be "float" or "base64"' }).nullish(),
    dimensions: z.int().positive().nullish(),
    user: z.unknown().optional(),
  }),
);
export type EmbeddingsRequest = z.infer<typeof embeddingsRequestSchema>;

export const embeddingsResponseSchema = lazySchema(() =>
  z.object({
    object: z.literal("list"),
    data: z.array(z.object({ object: z.literal("embedding"), index: z.int(), embedding: embeddingVectorSchema })),
    model: z.string(),
    usage: z.object({ prompt_tokens: z.int(), total_tokens: z.int() }).exactOptional(),
  }),
);
