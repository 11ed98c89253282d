import { chatFamilyNames, type ChatFamilyName } from "@incipit/schema";
import { hasCalls, isSystem, messagesWhere, type ChatBody, type ChatMessage } from "./chat-body.ts";
import type { FamilyRule } from "./family-rule.ts";

/** They render the model's own chat template, which rejects unexpected messages. */
const templates = [
  "vllm",
  "llama.cpp",
  "lmstudio",
  "ollama",
  "strict",
] as const satisfies readonly ChatFamilyName[];

function saidIn({ messages }: ChatBody): readonly ChatMessage[] {
  return messages.filter((message) => !isSystem(message));
}

function isBlank(text: string | undefined): boolean {
  return text === undefined || text.trim() === "";
}

function isEmpty({ content }: ChatMessage): boolean {
  if (content === undefined || content === null) return true;
  return typeof content === "string" ? isBlank(content) : content.length === 0;
}

function roleBefore({ messages }: ChatBody, index: number): ChatMessage["role"] | undefined {
  return messages.slice(0, index).findLast((message) => !isSystem(message))?.role;
}

/**
 * Mistral's and Gemma's templates only consider user messages and replies without calls, which alternate, starting with
 * the user.
 */
function alternationBreaks(body: ChatBody): readonly string[] {
  let last: ChatMessage["role"] = "assistant";
  return messagesWhere(body, (message) => {
    const { role } = message;
    if (role !== "user" && (role !== "assistant" || hasCalls(message))) return false;
    const isBroken = role === last;
    last = role;
    return isBroken;
  });
}

function resultBreaks({ messages }: ChatBody): readonly string[] {
  const broken: string[] = [];
  let open = new Set<string>();
  const close = (place: string): void => {
    for (const id of open) broken.push(`${place}: call "${id}" has no result`);
    open = new Set();
  };
  for (const [index, message] of messages.entries()) {
    const place = `messages.${index}`;
    if (message.role === "tool") {
      const { tool_call_id: id = "" } = message;
      if (!open.delete(id)) broken.push(`${place}: "${id}" is not an open call of the message before`);
      continue;
    }
    close(place);
    for (const { id } of message.tool_calls ?? []) open.add(id);
  }
  close("the end");
  return broken;
}

function callIds({ messages }: ChatBody): readonly string[] {
  return messages.flatMap(({ tool_calls: calls = [], tool_call_id: answered }) => [
    ...calls.map(({ id }) => id),
    ...(answered === undefined ? [] : [answered]),
  ]);
}

function idsOutside(pattern: RegExp): (body: ChatBody) => readonly string[] {
  return (body) => callIds(body).flatMap((id) => (pattern.test(id) ? [] : [`call id "${id}"`]));
}

/** Thinking is on by default for these models. */
function isThinkingOff(body: ChatBody): boolean {
  const { thinking } = body;
  const type = typeof thinking === "object" && thinking !== null && "type" in thinking ? thinking.type : undefined;
  return type === "disabled" || body["enable_thinking"] === false || body["reasoning_effort"] === "none";
}

function callsWithout(
  models: RegExp,
  isGiven: (reasoning: string | undefined) => boolean,
): (body: ChatBody) => readonly string[] {
  return (body) =>
    models.test(body.model) && !isThinkingOff(body)
      ? messagesWhere(body, (message) => hasCalls(message) && !isGiven(message.reasoning_content))
      : [];
}

const isPresent = (reasoning: string | undefined): boolean => reasoning !== undefined;

function hasImage({ content }: ChatMessage): boolean {
  return Array.isArray(content) && content.some(({ type }) => type === "image_url");
}

export const messageRules: readonly FamilyRule<ChatBody>[] = [
  {
    id: "nothing-said",
    families: chatFamilyNames,
    // "No user query found in messages", "messages must not be empty"
    sources: ["lmstudio-ai/lmstudio-bug-tracker#1586", "MoonshotAI/MoonshotAI-Cookbook#7"],
    find: (body) => (body.messages.some(({ role }) => role === "user") ? [] : ["no message of a user"]),
  },
  {
    id: "one-system-message",
    families: ["minimax", "qwen", ...templates],
    // MiniMax: "invalid chat setting (2013)". Qwen's template: "System message must be at the beginning"
    sources: [
      "MiniMax-AI/MiniMax-M2#51",
      "openclaw/openclaw#19386",
      "mastra-ai/mastra#15764",
      "zai-org/feedback#97",
    ],
    find: (body) => messagesWhere(body, (message, index) => isSystem(message) && index > 0),
  },
  {
    id: "system-message-first",
    families: ["mistral", "minimax", "qwen", ...templates],
    // "After the optional system message, conversation roles must alternate"
    sources: ["vllm-project/vllm#41114", "QwenLM/Qwen#956", "charmbracelet/crush#279"],
    find: (body) =>
      messagesWhere(body, (message, index) => isSystem(message) && roleBefore(body, index) !== undefined),
  },
  {
    id: "first-of-user",
    families: ["mistral", "zai", "minimax", ...templates],
    sources: ["MetaGLM/zhipuai-sdk-python-v4#14", "microsoft/autogen#3597"],
    find: (body) =>
      ["user", undefined].includes(saidIn(body)[0]?.role) ? [] : ["the first message is not a user's"],
  },
  {
    id: "last-of-user-or-tool",
    families: ["mistral", ...templates],
    // "Expected last role User or Tool (or Assistant with prefix True)"; "prefill is incompatible with enable_thinking"
    sources: ["crewAIInc/crewAI#2194", "ggml-org/llama.cpp#21889", "anomalyco/opencode#27920"],
    find: (body) => (body.messages.at(-1)?.role === "assistant" ? ["the last message is the assistant's"] : []),
  },
  {
    id: "roles-alternate",
    families: ["mistral", ...templates],
    // "Conversation roles must alternate user/assistant/user/assistant/..."
    sources: ["google/adk-python#1373", "dnakov/anon-kode#60", "microsoft/autogen#3597", "charmbracelet/crush#279"],
    find: alternationBreaks,
  },
  {
    id: "no-user-after-result",
    families: ["mistral", ...templates],
    // "Unexpected role 'user' after role 'tool'"
    sources: ["mistralai/mistral-vibe#578", "zed-industries/zed#37021", "NousResearch/hermes-agent#20154"],
    find: (body) => messagesWhere(body, ({ role }, index) => role === "user" && roleBefore(body, index) === "tool"),
  },
  {
    id: "each-call-one-result",
    families: chatFamilyNames,
    // "insufficient tool messages following tool_calls message"; "tool result's tool id … not found (2013)"
    sources: ["zed-industries/zed#51944", "MiniMax-AI/MiniMax-M2#76", "run-llama/llama_index#19224"],
    find: resultBreaks,
  },
  {
    id: "call-id-once",
    families: chatFamilyNames,
    sources: ["MetaGLM/zhipuai-sdk-python-v4#14", "vercel/ai#16183"],
    find: ({ messages }) => {
      const ids = messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id));
      return ids.flatMap((id, index) => (ids.indexOf(id) === index ? [] : [`call id "${id}"`]));
    },
  },
  {
    id: "call-id-not-empty",
    families: chatFamilyNames,
    sources: ["ZhiYi-R/moon-bridge#74", "OpenMinis/OpenMinis#61"],
    find: idsOutside(/./),
  },
  {
    id: "call-id-of-nine",
    families: ["mistral"],
    // "Tool call id was … but must be a-z, A-Z, 0-9, with a length of 9."
    sources: ["jackmpcollins/magentic#276", "langchain-ai/langchain#24668", "openclaw/openclaw#57672"],
    find: idsOutside(/^[a-zA-Z0-9]{9}$/),
  },
  {
    id: "call-id-of-forty",
    families: ["openai", "azure"],
    // "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40"
    sources: ["https://platform.openai.com/docs/api-reference/chat/create"],
    find: idsOutside(/^.{1,40}$/s),
  },
  {
    id: "arguments-are-object",
    families: chatFamilyNames,
    // "invalid function arguments json string, tool_call_id: … (2013)"
    sources: ["NousResearch/hermes-agent#12167", "earendil-works/pi#5468"],
    find: (body) =>
      messagesWhere(body, ({ tool_calls: calls = [] }) =>
        calls.some(({ function: { arguments: text } }) => !/^\s*\{/.test(text) || !isJson(text)),
      ),
  },
  {
    id: "reasoning-content-on-calls",
    families: ["deepseek", "openrouter"],
    // "The reasoning_content in the thinking mode must be passed back to the API."
    sources: ["earendil-works/pi#3636", "JohnnyZ93/oai-compatible-copilot#215", "qwersyk/Newelle#404"],
    find: callsWithout(/deepseek-(?:v[4-9]|flash|pro)/, isPresent),
  },
  {
    id: "reasoning-content-on-calls-of-kimi",
    families: ["moonshot", "openrouter"],
    // "thinking is enabled but reasoning_content is missing in assistant tool call message at index 2"
    sources: ["continuedev/continue#11600", "openclaw/openclaw#74846", "mastra-ai/mastra#12592"],
    find: callsWithout(/kimi-(?:k2\.[5-9]|k[3-9]|for-coding|.*thinking)/, isPresent),
  },
  {
    id: "reasoning-content-on-calls-of-glm",
    families: ["zai"],
    sources: ["shiaho777/web-to-app#452"],
    find: callsWithout(/glm-(?:4\.[5-9]|[5-9])/, isPresent),
  },
  {
    id: "reasoning-content-on-calls-of-mimo",
    families: chatFamilyNames,
    sources: ["earendil-works/pi#4602", "VicBilibily/GCMP#171", "openclaw/openclaw#82983"],
    find: callsWithout(/mimo-v/, isPresent),
  },
  {
    id: "reasoning-content-not-empty",
    families: ["openrouter"],
    // Missing and empty ones are rejected; any other value is accepted.
    sources: ["BerriAI/litellm#27439"],
    find: callsWithout(/deepseek-(?:v[4-9]|flash|pro)/, (reasoning) => reasoning !== undefined && reasoning !== ""),
  },
  {
    id: "no-reasoning-content",
    families: ["groq", "mistral"],
    // "property 'reasoning_content' is unsupported"; "Extra inputs are not permitted"
    sources: ["janhq/jan#8136", "tashfeenahmed/freellmapi#1070", "zeroclaw-labs/zeroclaw#2693"],
    find: (body) => messagesWhere(body, ({ reasoning_content: reasoning }) => reasoning !== undefined),
  },
  {
    id: "null-content-without-calls",
    families: chatFamilyNames,
    // "Invalid value for 'content': expected a string, got null"; "invalid message content type: <nil>"
    sources: ["docker/docker-agent#63", "pydantic/pydantic-ai#3406", "vercel/ai#14950"],
    find: (body) => messagesWhere(body, (message) => message.content === null && !hasCalls(message)),
  },
  {
    id: "null-content-with-calls",
    families: ["lmstudio"],
    // "'content' field must be a string or an array of objects"
    sources: ["lmstudio-ai/lmstudio-bug-tracker#261", "shanevcantwell/langgraph-agentic-scaffold#89"],
    find: (body) => messagesWhere(body, (message) => message.content === null && hasCalls(message)),
  },
  {
    id: "content-left-out",
    families: chatFamilyNames,
    sources: ["jekalmin/extended_openai_conversation#456"],
    find: (body) => messagesWhere(body, ({ content }) => content === undefined),
  },
  {
    id: "empty-message",
    families: chatFamilyNames,
    // "the message at position 8 with role 'assistant' must not be empty"; "must have either content or tool_calls"
    sources: [
      "lobehub/lobehub#8419",
      "OpenHands/OpenHands#8685",
      "AstrBotDevs/AstrBot#6447",
      "anomalyco/opencode#22209",
    ],
    find: (body) =>
      messagesWhere(body, (message) => message.role !== "tool" && isEmpty(message) && !hasCalls(message)),
  },
  {
    id: "empty-text-part",
    families: chatFamilyNames,
    // "text content blocks must be non-empty"; "Every message needs at least one non-empty content element"
    sources: ["vercel/ai#13466", "langbot-app/LangBot#1205"],
    find: (body) =>
      messagesWhere(
        body,
        ({ content }) =>
          Array.isArray(content) && content.some(({ type, text }) => type === "text" && isBlank(text)),
      ),
  },
  {
    id: "result-is-text",
    families: chatFamilyNames,
    // "invalid type: sequence, expected a string"; "Invalid 'messages' in payload"
    sources: ["Gitlawb/openclaude#774", "QwenLM/qwen-code#3616", "CommandCodeAI/command-code#795"],
    find: (body) => messagesWhere(body, ({ role, content }) => role === "tool" && typeof content !== "string"),
  },
  {
    id: "no-images",
    families: ["deepseek"],
    // "unknown variant `image_url`, expected `text`"; Flash from V4.1 on and vision models take them.
    sources: ["rikkahub/rikkahub#1433", "BenedictKing/ccx#95", "vercel/ai#21174"],
    find: (body) => (/vision|flash/.test(body.model) ? [] : messagesWhere(body, hasImage)),
  },
];

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
