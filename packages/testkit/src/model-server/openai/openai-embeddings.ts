import * as z from "zod";

const requestSchema = z.looseObject({
  model: z.string(),
  input: z.union([z.string(), z.array(z.string())]),
  encoding_format: z.enum(["float", "base64"]).optional(),
  dimensions: z.int().optional(),
});

/**
 * A distinct vector per text, last one first, since no order is promised:
 * https://platform.openai.com/docs/api-reference/embeddings/create
 */
export function openAiEmbeddingsOf(body: string): string {
  const { model, input, encoding_format: encoding, dimensions = 4 } = requestSchema.parse(JSON.parse(body));
  const texts = typeof input === "string" ? [input] : input;
  const data = texts.map((text, index) => {
    const vector = Float32Array.from({ length: dimensions }, (_, place) => (text.length + place) / 16);
    const embedding = encoding === "base64" ? Buffer.from(vector.buffer).toString("base64") : [...vector];
    return { object: "embedding", index, embedding };
  });
  const tokens = texts.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0);
  return JSON.stringify({
    object: "list",
    data: data.toReversed(),
    model: `${model}-2026`,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  });
}
