import { embeddingVectorSchema, lazySchema } from "@incipit/schema";
import * as z from "zod";
import type { EmbeddingsFormat } from "../vendor/endpoint-vendor.ts";

/** https://platform.openai.com/docs/api-reference/embeddings/create */
const answerSchema = lazySchema(() =>
  z.object({
    data: z.array(z.object({ index: z.int().nonnegative(), embedding: embeddingVectorSchema })).min(1),
    model: z.string().nullish(),
    usage: z.object({ prompt_tokens: z.int().nullish() }).nullish(),
  }),
);

export const openAiEmbeddings: EmbeddingsFormat = {
  path: () => "embeddings",
  takesField: () => false,
  toBody: ({ model, input, encodingFormat, dimensions, vendorFields }) => ({
    model,
    input,
    ...(encodingFormat === undefined ? {} : { encoding_format: encodingFormat }),
    ...(dimensions === undefined ? {} : { dimensions }),
    ...vendorFields,
  }),
  toReply(said, { input }) {
    const { data: answer } = answerSchema.safeParse(said);
    if (answer === undefined) return undefined;
    const sorted = answer.data.toSorted((a, b) => a.index - b.index);
    const isList = typeof input !== "string" && typeof input[0] !== "number";
    if (sorted.length !== (isList ? input.length : 1) || sorted.some(({ index }, at) => index !== at))
      return undefined;
    const { model, usage } = answer;
    return {
      kind: "embedded",
      vectors: sorted.map(({ embedding }) => embedding),
      inputTokens: usage?.prompt_tokens ?? null,
      responseModel: model ?? null,
    };
  },
};
