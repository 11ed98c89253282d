import { isObject } from "@incipit/schema";
import { countOf, fieldsOf, listOf, textOf } from "../json/fields.ts";
import { errorIn } from "../reply/parse-error.ts";
import type { ChatChoice, ChatChunk, ChatChunkDelta, ContentPart, ToolCallDelta } from "./chat-chunk.ts";

export type LenientChunk =
  | { readonly kind: "chunk"; readonly chunk: ChatChunk }
  | { readonly kind: "error"; readonly error: unknown }
  | { readonly kind: "nothing" };

/**
 * Reads only used fields, and treats missing or mistyped ones as absent. Servers omit `choices`, `role`, `index` and
 * `created`, and send arguments as objects, text as lists, and messages instead of deltas.
 */
export function lenientChunk(value: unknown): LenientChunk {
  const { choices, usage, id, model, created, error } = fieldsOf(value);
  const hasUsage = typeof usage === "object" && usage !== null;
  const isReply = hasUsage || (choices !== undefined && choices !== null);
  const said = errorIn(isReply ? { error } : value);
  if (said !== undefined) return { kind: "error", error: said };
  if (!isReply) return { kind: "nothing" };
  const head = { id: textOf(id), model: textOf(model), created: countOf(created) };
  const counts = hasUsage ? { usage: fieldsOf(usage) } : {};
  return { kind: "chunk", chunk: { ...head, choices: listOf(choices).map(choiceOf), ...counts } };
}

function choiceOf(value: unknown): ChatChoice {
  const { delta, message, text, finish_reason: reason, finishReason } = fieldsOf(value);
  const finish = textOf(reason) ?? textOf(finishReason);
  return {
    delta: typeof delta === "object" && delta !== null ? deltaOf(delta) : saidAs(text),
    ...(typeof message === "object" && message !== null ? { message: deltaOf(message) } : {}),
    ...(finish === undefined ? {} : { finish_reason: finish }),
  };
}

/** In the format of legacy completions. */
function saidAs(text: unknown): ChatChunkDelta | undefined {
  return typeof text === "string" ? { content: text } : undefined;
}

function deltaOf(value: unknown): ChatChunkDelta {
  const {
    content,
    refusal,
    reasoning_content: thought,
    reasoning,
    tool_calls: calls,
    function_call: call,
    annotations,
  } = fieldsOf(value);
  // Some servers repeat the call in the legacy `function_call` field.
  const own = listOf(calls).flatMap(callOf);
  const deltas = own.length > 0 || !isObject(call) ? own : callOf({ index: 0, function: call });
  return {
    content: typeof content === "string" ? content : listOf(content).flatMap(partOf),
    refusal,
    reasoning_content: textOf(thought),
    reasoning: textOf(reasoning) ?? textOf(fieldsOf(reasoning)["text"]) ?? textOf(fieldsOf(reasoning)["content"]),
    ...(deltas.length === 0 ? {} : { tool_calls: deltas }),
    ...(Array.isArray(annotations) ? { annotations } : {}),
  };
}

function partOf(value: unknown): readonly ContentPart[] {
  if (typeof value === "string") return [{ type: "text", text: value }];
  const { type, ...rest } = fieldsOf(value);
  return typeof type === "string" ? [{ type, ...rest }] : [];
}

function callOf(value: unknown): readonly ToolCallDelta[] {
  if (!isObject(value)) return [];
  const { index, id, function: said, name, arguments: flat, extra_content: extra } = fieldsOf(value);
  const { name: named = name, arguments: input = flat } = fieldsOf(said);
  const signature = textOf(fieldsOf(fieldsOf(extra)["google"])["thought_signature"]);
  return [
    {
      index: countOf(index),
      id: typeof id === "number" ? String(id) : textOf(id),
      function: { name: textOf(named), arguments: argumentsOf(input) },
      ...(signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } }),
    },
  ];
}

/** JSON chunks; some servers send the parsed object. */
function argumentsOf(input: unknown): string | undefined {
  if (typeof input === "string") return input;
  // An empty object is a placeholder for later chunks.
  if (typeof input !== "object" || input === null || Object.keys(input).length === 0) return undefined;
  return JSON.stringify(input);
}
