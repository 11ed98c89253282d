import type { EmbeddingsFormat } from "@incipit/provider-kit";
import { lazySchema, type EmbeddingInput } from "@incipit/schema";
import * as z from "zod";

const fields = new Set(["taskType", "title"]);

const answerSchema = lazySchema(() =>
  z.object({
    embeddings: z.array(z.object({ values: z.array(z.number()).min(1) })),
    usageMetadata: z.object({ promptTokenCount: z.int().nullish() }).nullish(),
  }),
);

/** Used for single texts, too: https://ai.google.dev/api/embeddings */
export const googleEmbeddings: EmbeddingsFormat = {
  path: (model) => `models/${encodeURIComponent(model)}:batchEmbedContents`,
  takesField: (field) => fields.has(field),
  refusal: ({ input }) =>
    textsOf(input) === undefined ? "its API accepts text, not tokens; send text" : undefined,
  toBody: ({ model, input, dimensions, vendorFields }) => ({
    requests: (textsOf(input) ?? []).map((text) => ({
      model: `models/${model}`,
      content: { role: "user", parts: [{ text }] },
      ...(dimensions === undefined ? {} : { outputDimensionality: dimensions }),
      ...vendorFields,
    })),
  }),
  toReply(said, { input, encodingFormat }) {
    const { data: answer } = answerSchema.safeParse(said);
    if (answer?.embeddings.length !== textsOf(input)?.length || answer === undefined) return undefined;
    const vectors = answer.embeddings.map(({ values }) =>
      encodingFormat === "base64" ? toBase64(values) : values,
    );
    const inputTokens = answer.usageMetadata?.promptTokenCount ?? null;
    return { kind: "embedded", vectors, inputTokens, responseModel: null };
  },
};

function textsOf(input: EmbeddingInput): readonly string[] | undefined {
  if (typeof input === "string") return [input];
  const texts = input.filter((part) => typeof part === "string");
  return texts.length === input.length ? texts : undefined;
}

/** Encodes an embedding in OpenAI's format: Base64 of little-endian 32-bit floats. */
function toBase64(values: readonly number[]): string {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeFloatLE(value, at * 4);
  return bytes.toString("base64");
}
