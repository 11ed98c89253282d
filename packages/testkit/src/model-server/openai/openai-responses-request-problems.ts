import { responsesRequestSchema, type ResponsesItem, type ResponsesRequest } from "./openai-responses-request.ts";
import { responsesToolRefusal } from "./tool-schemas.ts";
import { requestIssues } from "../wire/request-issues.ts";
import { isBlank, isJsonObject, parseRequestJson, toolNameProblems } from "../wire/request-json.ts";

const namePattern = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * Violations in a Responses API call:
 * - Shapes and ids: https://platform.openai.com/docs/api-reference/responses/create
 * - Each call has one later output, and each output has a call:
 *   https://platform.openai.com/docs/guides/function-calling
 * - Reasoning is followed by its result; without storage it has its `encrypted_content`, and there are no references:
 *   https://platform.openai.com/docs/guides/reasoning
 * - No empty text: other servers of the protocol reject it
 * - Added tools have new names and come after the outputs of a reply:
 *   https://developers.openai.com/api/docs/guides/tools-tool-search
 * - Tool schemas: `responsesToolRefusal`
 * - System texts come first; tools are sorted by name and unique, since they come first in the cache
 */
export function responsesRequestProblems(body: string): readonly string[] {
  const json = parseRequestJson(body);
  if (json === undefined) return ["the body is no JSON"];
  const parsed = responsesRequestSchema.safeParse(json.value);
  if (!parsed.success) return requestIssues(parsed.error);
  const { input, instructions, tools = [] } = parsed.data;
  const items = typeof input === "string" ? [] : input;
  const refusal = responsesToolRefusal(body);
  return [
    ...(refusal === undefined ? [] : [refusal.error.message]),
    ...(json.isWellFormed ? [] : ["a text has half a surrogate pair"]),
    ...toolNameProblems(
      tools.map(({ name }) => name),
      namePattern,
    ),
    ...(isBlank(instructions) || isBlank(input) ? ["a text is empty"] : []),
    ...items.flatMap((item, index) => itemProblems(item).map((problem) => `input.${index}: ${problem}`)),
    ...(typeof input === "string" ? [] : orderProblems(items)),
    ...callProblems(items),
    ...addedProblems(items, tools),
    ...reasoningProblems(items, parsed.data),
  ];
}

function itemProblems(item: ResponsesItem): readonly string[] {
  if (item.type === "function_call")
    return [
      ...(namePattern.test(item.name) ? [] : [`"${item.name}" is no name of a tool`]),
      ...(isJsonObject(parseRequestJson(item.arguments)?.value)
        ? []
        : [`the arguments of "${item.call_id}" are no JSON object`]),
    ];
  if (!("content" in item)) return [];
  const { content } = item;
  const isEmpty = isBlank(content) || (Array.isArray(content) && content.length === 0);
  const hasEmptyPart =
    Array.isArray(content) && content.some((part) => part.type.endsWith("_text") && isBlank(part["text"]));
  return isEmpty || hasEmptyPart ? ["a text is empty"] : [];
}

function orderProblems(items: readonly ResponsesItem[]): readonly string[] {
  const first = items.findIndex((item) => !isSystem(item));
  if (first === -1) return ["input: there are none but system texts"];
  const opening = items[first];
  const isUser = opening !== undefined && "role" in opening && opening.role === "user";
  return [
    ...(isUser ? [] : [`input.${first}: the first behind the system texts is no user's`]),
    ...items
      .slice(first)
      .flatMap((item, index) => (isSystem(item) ? [`input.${first + index}: a system text is not first`] : [])),
  ];
}

function isSystem(item: ResponsesItem): boolean {
  return (
    item.type !== "additional_tools" && "role" in item && (item.role === "system" || item.role === "developer")
  );
}

function callProblems(items: readonly ResponsesItem[]): readonly string[] {
  const problems: string[] = [];
  const used = new Set<string>();
  const open = new Set<string>();
  for (const [index, item] of items.entries()) {
    const place = `input.${index}`;
    if (item.type === "function_call") {
      if (used.has(item.call_id)) problems.push(`${place}: the id "${item.call_id}" was used before`);
      used.add(item.call_id);
      open.add(item.call_id);
    }
    if (item.type === "function_call_output" && !open.delete(item.call_id))
      problems.push(`${place}: "${item.call_id}" is no call before it that has no output yet`);
    if ("role" in item && item.role === "user") {
      for (const id of open) problems.push(`${place}: call "${id}" has no output in front of it`);
      open.clear();
    }
  }
  for (const id of open) problems.push(`the end: call "${id}" has no output`);
  return problems;
}

function addedProblems(
  items: readonly ResponsesItem[],
  tools: NonNullable<ResponsesRequest["tools"]>,
): readonly string[] {
  const names = new Set(tools.map(({ name }) => name));
  const problems: string[] = [];
  for (const [index, item] of items.entries()) {
    if (item.type !== "additional_tools") continue;
    const place = `input.${index}`;
    if (items[index - 1]?.type !== "function_call_output") problems.push(`${place}: it is not behind an output`);
    if (items[index + 1]?.type === "function_call_output") problems.push(`${place}: it is between two outputs`);
    for (const { name } of item.tools) {
      if (!namePattern.test(name)) problems.push(`${place}: "${name}" is no name of a tool`);
      if (names.has(name)) problems.push(`${place}: "${name}" is there twice`);
      names.add(name);
    }
  }
  return problems;
}

function reasoningProblems(items: readonly ResponsesItem[], { store = true }: ResponsesRequest): readonly string[] {
  const ids = items.flatMap((item) => ("id" in item && typeof item.id === "string" ? [item.id] : []));
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  return [
    ...twice.map((id) => `input: the item "${id}" is there twice`),
    ...items.flatMap((item, index) => {
      const place = `input.${index}`;
      if (item.type === "item_reference")
        return store ? [] : [`${place}: nothing is stored that it could refer to`];
      if (item.type !== "reasoning") return [];
      const next = items[index + 1];
      const isFollowed =
        next !== undefined &&
        (next.type === "function_call" ||
          next.type === "reasoning" ||
          ("role" in next && next.role === "assistant"));
      return [
        ...(isFollowed ? [] : [`${place}: reasoning without what it led to`]),
        ...(store || typeof item.encrypted_content === "string" ? [] : [`${place}: encrypted_content is missing`]),
      ];
    }),
  ];
}
