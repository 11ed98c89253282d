/** Kinds of servers with a chat completions API, by what they accept. `strict` is an unknown server. */
export const chatFamilyNames = [
  "openai",
  "azure",
  "openrouter",
  "mistral",
  "deepseek",
  "moonshot",
  "qwen",
  "zai",
  "minimax",
  "xai",
  "groq",
  "together",
  "vllm",
  "llama.cpp",
  "lmstudio",
  "ollama",
  "strict",
] as const;

export type ChatFamilyName = (typeof chatFamilyNames)[number];
