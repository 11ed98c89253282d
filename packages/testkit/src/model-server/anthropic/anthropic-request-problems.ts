import {
  anthropicRequestSchema,
  breakpointCount,
  type AnthropicBlock,
  type AnthropicRequest,
} from "./anthropic-request.ts";
import { deferralRefusal } from "./tool-deferral.ts";
import { requestIssues } from "../wire/request-issues.ts";
import { isBlank, parseRequestJson, toolNameProblems } from "../wire/request-json.ts";

const namePattern = /^[a-zA-Z0-9_-]{1,128}$/;
const maxBreakpoints = 4;
type Message = AnthropicRequest["messages"][number];

/**
 * Violations in a Messages API call:
 * - Shapes and names: https://docs.claude.com/en/api/messages
 * - Each call has one result, first in the next user message; ids are unique; tools are declared when the history has
 *   calls: https://docs.claude.com/en/docs/agents-and-tools/tool-use/implement-tool-use
 * - The first and the last message are the user's: no model continues a prefilled reply
 * - No blank text: https://docs.claude.com/en/api/errors
 * - At most four breakpoints, none on thinking: https://docs.claude.com/en/docs/build-with-claude/prompt-caching
 * - Thinking requires room in `max_tokens`, the default temperature, and no forced tool:
 *   https://docs.claude.com/en/docs/build-with-claude/extended-thinking
 * - Deferred tools and references: `deferralRefusal`
 * - Tools are sorted by name and unique, since they come first in the cache.
 */
export function anthropicRequestProblems(body: string): readonly string[] {
  const json = parseRequestJson(body);
  if (json === undefined) return ["the body is no JSON"];
  const parsed = anthropicRequestSchema.safeParse(json.value);
  if (!parsed.success) return requestIssues(parsed.error);
  const { messages, system, tools = [] } = parsed.data;
  const toolNames = tools.map(({ name }) => name);
  const breakpoints = breakpointCount(body);
  const hasCalls = messages.some((message) =>
    blocksOf(message).some(({ type }) => type === "tool_use" || type === "tool_result"),
  );
  const systemTexts = typeof system === "string" ? [system] : (system ?? []).map(({ text }) => text);
  return [
    ...(json.isWellFormed ? [] : ["a text has half a surrogate pair"]),
    ...toolNameProblems(toolNames, namePattern),
    ...(hasCalls && tools.length === 0 ? ["tools: there are none, and the messages have calls"] : []),
    ...(systemTexts.some(isBlank) ? ["system: a text is empty"] : []),
    ...(breakpoints > maxBreakpoints ? [`cache_control: there are ${breakpoints} breakpoints, not 4`] : []),
    ...(messages[0]?.role === "user" ? [] : ["messages.0: it is not the user's"]),
    ...(messages.at(-1)?.role === "user" ? [] : [`messages.${messages.length - 1}: the last is not the user's`]),
    ...messages.flatMap((message, index) =>
      contentProblems(message).map((problem) => `messages.${index}: ${problem}`),
    ),
    ...callProblems(messages),
    ...thinkingProblems(parsed.data),
    ...[deferralRefusal(body) ?? []].flat(),
  ];
}

function blocksOf({ content }: Message): readonly AnthropicBlock[] {
  return typeof content === "string" ? [] : content;
}

function contentProblems(message: Message): readonly string[] {
  const { content } = message;
  const blocks = blocksOf(message);
  const lastResult = blocks.findLastIndex(({ type }) => type === "tool_result");
  const isBehind = blocks.slice(0, lastResult + 1).some(({ type }) => type !== "tool_result");
  return [
    ...(content.length === 0 || isBlank(content) ? [`the content of "${message.role}" is empty`] : []),
    ...(blocks.some((block) => block.type === "text" && isBlank(block.text)) ? ["a text block is empty"] : []),
    ...(isBehind ? ["a result is behind what is no result"] : []),
    ...(blocks.some((block) => block.type.endsWith("thinking") && block["cache_control"] !== undefined)
      ? ["cache_control: thinking has a breakpoint"]
      : []),
  ];
}

function callProblems(messages: readonly Message[]): readonly string[] {
  const problems: string[] = [];
  const used = new Set<string>();
  let open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const place = `messages.${index}`;
    for (const block of blocksOf(message)) {
      if (block.type !== "tool_result") continue;
      if (message.role !== "user") problems.push(`${place}: a result is not the user's`);
      if (!open.delete(block.tool_use_id))
        problems.push(`${place}: "${block.tool_use_id}" is no call of the message before that has no result yet`);
    }
    for (const id of open) problems.push(`${place}: call "${id}" has no result here`);
    open = new Set();
    for (const block of blocksOf(message)) {
      if (block.type !== "tool_use") continue;
      if (message.role !== "assistant") problems.push(`${place}: a call is not the assistant's`);
      if (used.has(block.id)) problems.push(`${place}: the id "${block.id}" was used before`);
      if (!namePattern.test(block.name)) problems.push(`${place}: "${block.name}" is no name of a tool`);
      used.add(block.id);
      open.add(block.id);
    }
  }
  for (const id of open) problems.push(`the end: call "${id}" has no result`);
  return problems;
}

function thinkingProblems(request: AnthropicRequest): readonly string[] {
  const { thinking, max_tokens, tool_choice } = request;
  if (thinking === undefined || thinking.type === "disabled") return [];
  const { temperature = 1 } = request;
  return [
    ...(thinking.budget_tokens !== undefined && thinking.budget_tokens >= max_tokens
      ? ["thinking: budget_tokens leaves nothing of max_tokens"]
      : []),
    ...(temperature === 1 ? [] : ["thinking: temperature is not 1"]),
    ...(tool_choice === undefined || tool_choice.type === "auto" || tool_choice.type === "none"
      ? []
      : ["thinking: tool_choice forces a tool"]),
  ];
}
