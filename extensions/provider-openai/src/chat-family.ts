import type { CallIdRule } from "@incipit/provider-kit";
import type { ChatFamilyName } from "@incipit/schema";
import type { ChatRules } from "@incipit/wire";
import type { SchemaReader } from "./family-schema.ts";

export interface ChatFamily extends ChatRules {
  readonly callIds?: CallIdRule | undefined;
  readonly schemas?: SchemaReader | undefined;
}

const longIds = { maxLength: 40 } as const satisfies CallIdRule;
export const idsOfNine = { maxLength: 9, isExact: true } as const satisfies CallIdRule;

/** For servers with chat templates: those of Qwen, Gemma and Mistral models reject unexpected message orders. */
const template = { isOneSystem: true, alternates: true, wantsReplyToResults: true, refusesEmpty: true } as const;

/**
 * Mistral models reject, on any server, a user message after a tool result: "Unexpected role 'user' after role 'tool'".
 */
const mistralModels = {
  alternates: true,
  wantsReplyToResults: true,
  refusesEmpty: true,
  callIds: idsOfNine,
} as const;

/**
 * Rules of each family of servers. They prevent rejected messages: a server that rejects a message also rejects every
 * later request of the conversation.
 *
 * - `missingReasoning` and `marksCache` apply to the models that need them: see `familyRules`.
 * - `strict` is for unknown servers: it has the strictest rules.
 */
export const chatFamilies = {
  openai: { refusesEmpty: true, callIds: longIds },
  azure: { refusesEmpty: true, callIds: longIds },
  // It rejects an empty `reasoning_content` like a missing one.
  openrouter: { refusesEmpty: true, missingReasoning: " ", marksCache: true, callIds: longIds },
  mistral: { ...mistralModels, refusesReasoning: true, refusesStreamOptions: true, seedField: "random_seed" },
  deepseek: { refusesEmpty: true, missingReasoning: "", joinsTexts: true, settings: "deepseek" },
  moonshot: { refusesEmpty: true, missingReasoning: "", schemas: "moonshot" },
  qwen: { isOneSystem: true, refusesEmpty: true },
  zai: { alternates: true, refusesEmpty: true, missingReasoning: "" },
  minimax: { isOneSystem: true, alternates: true, refusesEmpty: true },
  xai: { refusesEmpty: true },
  groq: { refusesEmpty: true, refusesReasoning: true },
  together: { refusesEmpty: true },
  vllm: template,
  "llama.cpp": { ...template, schemas: "grammar" },
  lmstudio: { ...template, schemas: "grammar", contentOfCalls: "", isToolChoiceWord: true },
  ollama: { ...template, schemas: "grammar" },
  strict: { ...template, schemas: "grammar", missingReasoning: " " },
} as const satisfies Record<ChatFamilyName, ChatFamily>;

const hosts: Readonly<Record<string, ChatFamilyName>> = {
  "api.openai.com": "openai",
  "azure.com": "azure",
  "openrouter.ai": "openrouter",
  "api.mistral.ai": "mistral",
  "api.deepseek.com": "deepseek",
  "api.moonshot.ai": "moonshot",
  "api.moonshot.cn": "moonshot",
  "api.kimi.com": "moonshot",
  "aliyuncs.com": "qwen",
  "api.z.ai": "zai",
  "open.bigmodel.cn": "zai",
  "api.minimax.io": "minimax",
  "api.minimaxi.com": "minimax",
  "api.x.ai": "xai",
  "api.groq.com": "groq",
  "api.together.xyz": "together",
  "api.together.ai": "together",
  // Same constraints as OpenAI's own API.
  "openai.com": "openai",
  "api.fireworks.ai": "openai",
  "generativelanguage.googleapis.com": "openai",
  "api.perplexity.ai": "openai",
  "api.cerebras.ai": "openai",
};
/** Default ports on this machine. Other programs may use them, too, so the rules suit any server. */
const localPorts: Readonly<Record<string, ChatFamilyName>> = { "11434": "ollama", "1234": "lmstudio" };
const localHosts = new Set(["localhost", "127.0.0.1", "[::1]"]);

const mistralModel = /(?:^|[/-])(?:mi[sx]tral|ministral|codestral|devstral|magistral|pixtral)/i;
/** These reject messages without reasoning: "thinking is enabled but reasoning_content is missing in …". */
const thinkingModel =
  /deepseek-(?:v[4-9]|flash|pro)|kimi-(?:k2\.[5-9]|k[3-9]|for-coding|.*thinking)|glm-(?:4\.[5-9]|[5-9])|mimo-v/i;

export function isClaude(model: string): boolean {
  return /claude/i.test(model);
}

export function familyOfHost(baseUrl: string | undefined): ChatFamilyName {
  const { hostname = "", port = "" } = URL.parse(baseUrl ?? "") ?? {};
  if (localHosts.has(hostname)) return localPorts[port] ?? "strict";
  const labels = hostname.split(".");
  for (let first = 0; first < labels.length - 1; first += 1) {
    const family = hosts[labels.slice(first).join(".")];
    if (family !== undefined) return family;
  }
  return "strict";
}

export interface FamilyRulesOptions {
  readonly baseUrl?: string | undefined;
  readonly family?: ChatFamilyName | undefined;
  readonly dialect?: ChatFamily | undefined;
}

/**
 * Merges the rules for a model. `dialect`, from the configuration, overrides rules by model name, and those the
 * family's.
 */
export function familyRules({ baseUrl, family, dialect = {} }: FamilyRulesOptions, model: string): ChatFamily {
  if (family === "openai") return { ...chatFamilies.openai, ...dialect }; // The operator declares full compatibility.
  const { missingReasoning, marksCache, ...rules }: ChatFamily = chatFamilies[family ?? familyOfHost(baseUrl)];
  return {
    ...rules,
    ...(mistralModel.test(model) ? mistralModels : {}),
    ...(thinkingModel.test(model) ? { missingReasoning } : {}),
    ...(isClaude(model) ? { marksCache } : {}),
    ...dialect,
  };
}
