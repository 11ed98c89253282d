import * as z from "zod";

export function embeddingsAt(path: string): ((body: string) => string) | undefined {
  if (path.endsWith("/embeddings")) return openAiEmbeddingsOf;
  return path.endsWith(":batchEmbedContents") ? geminiEmbeddingsOf : undefined;
}

const geminiTextSchema = z.strictObject({
  model: z.string().startsWith("models/"),
  content: z.strictObject({
    role: z.literal("user").optional(),
    parts: z.tuple([z.strictObject({ text: z.string().min(1) })]),
  }),
  outputDimensionality: z.int().positive().optional(),
  taskType: z.string().optional(),
  title: z.string().optional(),
});
const batchSchema = z.strictObject({ requests: z.array(geminiTextSchema).min(1).max(100) });

/**
 * Vectors of `openAiEmbeddingsOf`, in the order of the texts: https://ai.google.dev/api/embeddings @throws what Gemini
 * would reject.
 */
function geminiEmbeddingsOf(body: string): string {
  const { requests } = batchSchema.parse(JSON.parse(body));
  const texts = requests.map(({ content }) => content.parts[0].text);
  return JSON.stringify({
    embeddings: requests.map(({ outputDimensionality: dimensions = 4 }, index) => ({
      values: Array.from({ length: dimensions }, (_, place) => ((texts[index] ?? "").length + place) / 16),
    })),
    usageMetadata: { promptTokenCount: texts.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0) },
  });
}

const openAiRequestSchema = z.looseObject({
  model: z.string(),
  input: z.union([z.string(), z.array(z.string())]),
  encoding_format: z.enum(["float", "base64"]).optional(),
  dimensions: z.int().optional(),
});

/**
 * A distinct vector per text, last one first, since no order is promised:
 * https://platform.openai.com/docs/api-reference/embeddings/create
 */
function openAiEmbeddingsOf(body: string): string {
  const { model, input, encoding_format: encoding, dimensions = 4 } = openAiRequestSchema.parse(JSON.parse(body));
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
