import { geminiEmbeddingsOf } from "./gemini/gemini-embeddings.ts";
import { openAiEmbeddingsOf } from "./openai/openai-embeddings.ts";

export function embeddingsAt(path: string): ((body: string) => string) | undefined {
  if (path.endsWith("/embeddings")) return openAiEmbeddingsOf;
  return path.endsWith(":batchEmbedContents") ? geminiEmbeddingsOf : undefined;
}
