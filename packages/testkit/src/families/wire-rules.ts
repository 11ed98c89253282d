import { anthropicRequestProblems } from "../model-server/anthropic/anthropic-request-problems.ts";
import { geminiRequestProblems } from "../model-server/gemini/gemini-request-problems.ts";
import { responsesRequestProblems } from "../model-server/openai/openai-responses-request-problems.ts";
import type { FamilyRule } from "./family-rule.ts";

/** On the raw body. */
export const wireRules: readonly FamilyRule<string>[] = [
  {
    id: "anthropic",
    families: ["anthropic"],
    sources: ["https://docs.claude.com/en/api/messages", "anthropics/claude-code#79418", "Dokploy/mcp#74"],
    find: anthropicRequestProblems,
  },
  {
    id: "gemini",
    families: ["gemini"],
    sources: ["https://ai.google.dev/gemini-api/docs/function-calling"],
    find: geminiRequestProblems,
  },
  {
    id: "openai-responses",
    families: ["openai-responses"],
    sources: ["https://platform.openai.com/docs/api-reference/responses/create"],
    find: responsesRequestProblems,
  },
];
