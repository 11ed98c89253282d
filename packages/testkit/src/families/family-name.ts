/** `strict` is an unknown server. */
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

/** Each of one vendor. */
const wireFamilyNames = ["anthropic", "gemini", "openai-responses"] as const;

export type FamilyName = ChatFamilyName | (typeof wireFamilyNames)[number];

export const familyNames: readonly FamilyName[] = [...chatFamilyNames, ...wireFamilyNames];
