import type { CallIdRule } from "@incipit/model-endpoint";
import type { ChatRules } from "@incipit/wire";

/** What is known of a family of endpoints of chat completions, beside the protocol. */
export interface ChatFamily extends ChatRules {
  /** Which ids of calls it takes; absent: any. */
  readonly callIds?: CallIdRule;
}

/**
 * By its name in the configuration. What a family refuses, it refuses in each later request of a conversation, too.
 *
 * - `mistral`: "Expected last role User or Tool …" after a result, and "Tool call id was … but must be a-z, A-Z, 0-9, with a
 *   length of 9".
 * - `strict`: templates of models that are served by llama.cpp, vLLM, Ollama and LM Studio, which raise where roles do not alternate,
 *   or a system message is not the first.
 */
export const chatFamilies = {
  openai: {},
  mistral: { alternates: true, wantsReplyToResults: true, callIds: { maxLength: 9, isExact: true } },
  strict: { isOneSystem: true, alternates: true },
} as const satisfies Record<string, ChatFamily>;

export type ChatFamilyName = keyof typeof chatFamilies;
export const chatFamilyNames = ["openai", "mistral", "strict"] as const satisfies readonly ChatFamilyName[];

/** Hosts that take what OpenAI's own API takes, whichever model is behind them. */
const asOpenai = new Set([
  "openrouter.ai",
  "api.groq.com",
  "api.together.xyz",
  "api.together.ai",
  "api.fireworks.ai",
  "api.x.ai",
  "generativelanguage.googleapis.com",
  "api.perplexity.ai",
  "api.cerebras.ai",
]);
/** Models of Mistral's, also behind other endpoints. */
const mistralModel = /(?:^|[/-])(?:mi[sx]tral|ministral|codestral|devstral|magistral|pixtral)/i;

/** The family of an endpoint, as far as its address and the model tell. */
export function chatFamilyOf(baseUrl: string | undefined, model: string): ChatFamily {
  const host = URL.parse(baseUrl ?? "")?.hostname ?? "";
  if (host === "api.mistral.ai" || mistralModel.test(model)) return chatFamilies.mistral;
  const isKnown = host.endsWith(".openai.com") || host.endsWith(".azure.com") || asOpenai.has(host);
  return isKnown ? chatFamilies.openai : chatFamilies.strict;
}
