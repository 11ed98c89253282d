import { requestIssues } from "../model-server/wire/request-issues.ts";
import { parseRequestJson } from "../model-server/wire/request-json.ts";
import { chatBodySchema } from "./chat-body.ts";
import type { FamilyName } from "./family-name.ts";
import type { FamilyRule } from "./family-rule.ts";
import { messageRules } from "./message-rules.ts";
import { requestRules } from "./request-rules.ts";
import { anthropicRequestProblems } from "../model-server/anthropic/anthropic-request-problems.ts";
import { geminiRequestProblems } from "../model-server/gemini/gemini-request-problems.ts";
import { responsesRequestProblems } from "../model-server/openai/openai-responses-request-problems.ts";

/**
 * Returns broken rules as `id: place`. They come from bug reports and the servers' documentation, independently of the
 * host's encoder.
 */
export function brokenRules(family: FamilyName, body: string): readonly string[] {
  const json = parseRequestJson(body);
  if (json === undefined) return ["json: the body is not JSON"];
  const unpaired = json.isWellFormed ? [] : ["json: a string has half a surrogate pair"];
  const ofWire = wireRules.filter(({ families }) => families.includes(family));
  if (ofWire.length > 0) return [...unpaired, ...ofWire.flatMap((rule) => broken(rule, body))];
  const { data, error } = chatBodySchema.safeParse(json.value);
  if (data === undefined) return requestIssues(error).map((issue) => `shape: ${issue}`);
  const rules = [...messageRules, ...requestRules].filter(({ families }) => families.includes(family));
  return [...unpaired, ...rules.flatMap((rule) => broken(rule, data))];
}

function broken<Body>(rule: FamilyRule<Body>, body: Body): readonly string[] {
  return rule.find(body).map((place) => `${rule.id}: ${place}`);
}

/** On the raw body. */
const wireRules: readonly FamilyRule<string>[] = [
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
