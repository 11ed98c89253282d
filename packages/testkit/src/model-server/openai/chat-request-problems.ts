import * as z from "zod";
import { requestIssues } from "../wire/request-issues.ts";
import { isBlank, isJsonObject, parseRequestJson, toolNameProblems } from "../wire/request-json.ts";

const callSchema = z.looseObject({
  id: z.string().min(1),
  type: z.literal("function"),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});
const contentSchema = z.union([z.string(), z.array(z.looseObject({ type: z.string() })), z.null()]).optional();
const messageSchema = z.discriminatedUnion("role", [
  z.looseObject({ role: z.enum(["system", "developer"]), content: contentSchema }),
  z.looseObject({ role: z.literal("user"), content: contentSchema }),
  z.looseObject({
    role: z.literal("assistant"),
    content: contentSchema,
    tool_calls: z.array(callSchema).min(1).optional(),
  }),
  z.looseObject({ role: z.literal("tool"), content: contentSchema, tool_call_id: z.string() }),
]);
const toolSchema = z.looseObject({
  type: z.literal("function"),
  function: z.looseObject({ name: z.string(), parameters: z.looseObject({ type: z.literal("object") }) }),
});
const bodySchema = z.looseObject({
  model: z.string().min(1),
  messages: z.array(messageSchema).min(1),
  tools: z.array(toolSchema).min(1).optional(),
});
type ChatMessage = z.infer<typeof messageSchema>;

const namePattern = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * Violations under the rules of the strictest vendors:
 * - Shapes, tool names, an object as their schema: https://platform.openai.com/docs/api-reference/chat/create
 * - Each call has one result directly after its message, and there are no other results:
 *   https://platform.openai.com/docs/guides/function-calling
 * - Call ids are unique in a history, and arguments are JSON objects: vendors that translate the protocol
 *   (https://docs.claude.com/en/api/openai-sdk, https://ai.google.dev/gemini-api/docs/openai) parse them and match by
 *   id.
 * - No blank message: https://docs.claude.com/en/api/errors
 * - No lone surrogates: strict JSON parsers (RFC 8259) reject the whole body
 * - System texts come first, then a user: https://docs.mistral.ai/capabilities/completion
 * - Tools are sorted by name and unique, since they come first in a vendor's cache.
 */
export function chatRequestProblems(body: string): readonly string[] {
  const json = parseRequestJson(body);
  if (json === undefined) return ["the body is no JSON"];
  const parsed = bodySchema.safeParse(json.value);
  if (!parsed.success) return requestIssues(parsed.error);
  const { messages, tools = [] } = parsed.data;
  return [
    ...(json.isWellFormed ? [] : ["a text has half a surrogate pair"]),
    ...toolNameProblems(
      tools.map((tool) => tool.function.name),
      namePattern,
    ),
    ...orderProblems(messages),
    ...messages.flatMap((message, index) =>
      contentProblems(message).map((problem) => `messages.${index}: ${problem}`),
    ),
    ...callProblems(messages),
  ];
}

function orderProblems(messages: readonly ChatMessage[]): readonly string[] {
  const isSystem = ({ role }: ChatMessage): boolean => role === "system" || role === "developer";
  const first = messages.findIndex((message) => !isSystem(message));
  if (first === -1) return ["messages: there are none but system texts"];
  const said = messages.slice(first);
  return [
    ...(said[0]?.role === "user" ? [] : [`messages.${first}: the first behind the system texts is no user's`]),
    ...said.flatMap((message, index) =>
      isSystem(message) ? [`messages.${first + index}: a system text is not first`] : [],
    ),
  ];
}

function contentProblems(message: ChatMessage): readonly string[] {
  const { content } = message;
  const isEmpty = content === undefined || content === null || content.length === 0 || isBlank(content);
  const hasEmptyPart =
    Array.isArray(content) &&
    content.some((part) => part.type === "text" && (part["text"] === undefined || isBlank(part["text"])));
  const isBare = message.role === "assistant" ? isEmpty && message.tool_calls === undefined : isEmpty;
  return [
    ...(isBare && message.role !== "tool" ? [`the content of "${message.role}" is empty`] : []),
    ...(hasEmptyPart ? ["a text part is empty"] : []),
  ];
}

function callProblems(messages: readonly ChatMessage[]): readonly string[] {
  const problems: string[] = [];
  const used = new Set<string>();
  let open = new Set<string>();
  const closeOpen = (place: string): void => {
    for (const id of open) problems.push(`${place}: call "${id}" has no result in front of it`);
    open = new Set();
  };
  for (const [index, message] of messages.entries()) {
    const place = `messages.${index}`;
    if (message.role === "tool") {
      if (!open.delete(message.tool_call_id))
        problems.push(
          `${place}: "${message.tool_call_id}" is no call of the message before that has no result yet`,
        );
      continue;
    }
    closeOpen(place);
    if (message.role !== "assistant") continue;
    for (const { id, function: called } of message.tool_calls ?? []) {
      if (used.has(id)) problems.push(`${place}: the id "${id}" was used before`);
      used.add(id);
      open.add(id);
      if (!namePattern.test(called.name)) problems.push(`${place}: "${called.name}" is no name of a tool`);
      if (!isJsonObject(parseRequestJson(called.arguments)?.value))
        problems.push(`${place}: the arguments of "${id}" are no JSON object`);
    }
  }
  closeOpen("the end");
  return problems;
}
