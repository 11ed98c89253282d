import { chatFamilyNames } from "@incipit/schema";
import type { ChatBody } from "./chat-body.ts";
import type { FamilyRule } from "./family-rule.ts";

function schemasOf({ tools = [] }: ChatBody): readonly (readonly [place: string, schema: Schema])[] {
  return tools.flatMap(({ function: { name, parameters } }) => [...schemasIn(parameters, name)]);
}

function schemasWhere(
  schemas: readonly (readonly [place: string, schema: Schema])[],
  holds: (schema: Schema) => boolean,
): readonly string[] {
  return schemas.flatMap(([place, schema]) => (holds(schema) ? [place] : []));
}

const choices = ["anyOf", "oneOf", "allOf", "enum", "not"];

function hasChoice(schema: Schema): boolean {
  return choices.some((key) => key in schema);
}

function hasBooleanBound(schema: Schema): boolean {
  return typeof schema["exclusiveMinimum"] === "boolean" || typeof schema["exclusiveMaximum"] === "boolean";
}

function hasOddPropertyName({ properties }: Schema): boolean {
  return isSchema(properties) && Object.keys(properties).some((name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name));
}

/** llama.cpp cannot convert them to a grammar. */
function hasUnreadablePattern({ pattern }: Schema): boolean {
  return typeof pattern === "string" && (!/^\^.*\$$/s.test(pattern) || /\(\?|\\[dDwWsSbB]/.test(pattern));
}

function roots({ tools = [] }: ChatBody): readonly (readonly [place: string, schema: Schema])[] {
  return tools.flatMap(({ function: { name, parameters } }) =>
    parameters === undefined ? [] : [[name, parameters]],
  );
}

function has(body: ChatBody, ...fields: readonly string[]): readonly string[] {
  return fields.filter((field) => body[field] !== undefined);
}

const grammars = ["llama.cpp", "lmstudio", "ollama", "strict"] as const;

export const requestRules: readonly FamilyRule<ChatBody>[] = [
  {
    id: "no-empty-tools",
    families: chatFamilyNames,
    // "`tools` must not be an empty array"
    sources: ["vllm-project/vllm#39780", "evalstate/fast-agent#781", "partITech/php-mistral#76"],
    find: ({ tools }) => (tools?.length === 0 ? ["tools"] : []),
  },
  {
    id: "no-tool-fields-without-tools",
    families: chatFamilyNames,
    // "'parallel_tool_calls' is only allowed when 'tools' are specified"; "When using `tool_choice`, `tools` must be set"
    sources: ["openai/swarm#30", "camel-ai/camel#1585"],
    find: (body) => (body.tools === undefined ? has(body, "parallel_tool_calls", "tool_choice") : []),
  },
  {
    id: "tool-choice-is-word",
    families: ["lmstudio"],
    // "Invalid tool_choice type: 'object'. Supported string values: none, auto, required"
    sources: ["lmstudio-ai/lmstudio-bug-tracker#670", "can1357/oh-my-pi#6925"],
    find: (body) => (typeof body["tool_choice"] === "object" ? ["tool_choice"] : []),
  },
  {
    id: "no-unknown-fields",
    families: ["mistral"],
    // "Extra inputs are not permitted"
    sources: ["dnakov/anon-kode#53", "Gitlawb/openclaude#739", "github/app#3299"],
    find: (body) => has(body, "stream_options", "seed", "max_completion_tokens", "store", "user", "logit_bias"),
  },
  {
    id: "tool-name",
    families: chatFamilyNames,
    sources: ["https://platform.openai.com/docs/api-reference/chat/create", "diegosouzapw/OmniRoute#707"],
    find: ({ tools = [], messages }) =>
      [
        ...tools.map((tool) => tool.function.name),
        ...messages.flatMap(({ tool_calls: calls = [] }) => calls.map((call) => call.function.name)),
      ].filter((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name)),
  },
  {
    id: "tool-name-once",
    families: chatFamilyNames,
    sources: ["https://docs.claude.com/en/api/messages"],
    find: ({ tools = [] }) => {
      const names = tools.map((tool) => tool.function.name);
      return names.filter((name, index) => names.indexOf(name) !== index);
    },
  },
  {
    id: "parameters-are-object",
    families: chatFamilyNames,
    // "function parameters is empty (2013)"; "tools.function.parameters.type is required and must be "object""
    sources: ["QwenLM/qwen-code#11834", "14790897/MiqroForge-Desktop#1165"],
    find: ({ tools = [] }) =>
      tools.flatMap((tool) => (tool.function.parameters?.["type"] === "object" ? [] : [tool.function.name])),
  },
  {
    id: "no-choice-at-root",
    families: ["openai", "azure", "openrouter", "moonshot", "strict"],
    // "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level"
    sources: ["MoonshotAI/kimi-code#2661", "abhigyanpatwari/GitNexus#2703", "FTShare-Lab/FTShare-MCP#7"],
    find: (body) => schemasWhere(roots(body), hasChoice),
  },
  {
    id: "no-boolean-bounds",
    families: chatFamilyNames,
    // "True is not of type 'number'"
    sources: ["Dokploy/mcp#74"],
    find: (body) => schemasWhere(schemasOf(body), hasBooleanBound),
  },
  {
    id: "property-names",
    families: ["openrouter", "strict"],
    // "Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'", of Claude behind whichever gateway
    sources: ["anthropics/claude-code#79418", "ComposioHQ/composio#3500", "twilio-labs/mcp#42"],
    find: (body) => (body.model.includes("claude") ? schemasWhere(roots(body), hasOddPropertyName) : []),
  },
  {
    id: "type-in-choices",
    families: ["moonshot"],
    // "when using anyOf, type should be defined in anyOf items instead of the parent schema"
    sources: ["vercel/ai#18921", "nicobailon/pi-subagents#127", "openclaw/openclaw#113130"],
    find: (body) => schemasWhere(schemasOf(body), (schema) => "anyOf" in schema && "type" in schema),
  },
  {
    id: "items-are-object",
    families: ["moonshot"],
    sources: ["vercel/ai#18921"],
    find: (body) =>
      schemasWhere(
        schemasOf(body),
        ({ items }) => items !== undefined && (Array.isArray(items) || items === false),
      ),
  },
  {
    id: "readable-patterns",
    families: grammars,
    // "Pattern must start with '^' and end with '$'"; "failed to parse grammar"
    sources: ["ggml-org/llama.cpp#26930", "ggml-org/llama.cpp#27580", "containers/kubernetes-mcp-server#758"],
    find: (body) => schemasWhere(schemasOf(body), hasUnreadablePattern),
  },
];

type Schema = Readonly<Record<string, unknown>>;

const single = ["items", "additionalProperties", "not", "contains", "if", "then", "else"];
const lists = ["anyOf", "oneOf", "allOf", "prefixItems"];
const named = ["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"];

function* schemasIn(value: unknown, place: string): Generator<readonly [place: string, schema: Schema]> {
  if (!isSchema(value)) return;
  yield [place, value];
  for (const key of single) yield* schemasIn(value[key], `${place}.${key}`);
  for (const key of lists)
    for (const [index, inner] of listOf(value[key]).entries()) yield* schemasIn(inner, `${place}.${key}.${index}`);
  for (const key of named)
    for (const [name, inner] of Object.entries(isSchema(value[key]) ? value[key] : {}))
      yield* schemasIn(inner, `${place}.${key}.${name}`);
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
