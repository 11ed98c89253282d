import * as z from "zod";

const requestSchema = z.strictObject({
  model: z.string().startsWith("models/"),
  content: z.strictObject({
    role: z.literal("user").optional(),
    parts: z.tuple([z.strictObject({ text: z.string().min(1) })]),
  }),
  outputDimensionality: z.int().positive().optional(),
  taskType: z.string().optional(),
  title: z.string().optional(),
});
const batchSchema = z.strictObject({ requests: z.array(requestSchema).min(1).max(100) });

/**
 * Vectors of `openAiEmbeddingsOf`, in the order of the texts: https://ai.google.dev/api/embeddings @throws what Gemini
 * would reject.
 */
export function geminiEmbeddingsOf(body: string): string {
  const { requests } = batchSchema.parse(JSON.parse(body));
  const texts = requests.map(({ content }) => content.parts[0].text);
  return JSON.stringify({
    embeddings: requests.map(({ outputDimensionality: dimensions = 4 }, index) => ({
      values: Array.from({ length: dimensions }, (_, place) => ((texts[index] ?? "").length + place) / 16),
    })),
    usageMetadata: { promptTokenCount: texts.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0) },
  });
}
