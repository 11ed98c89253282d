import { secureJson } from "../json/secure-json.ts";
import type { ChatDialect } from "./chat-request.ts";
import { isObject } from "@incipit/schema";
import { countOf, fieldsOf, listOf, textOf } from "../json/fields.ts";
import { errorIn } from "../reply/parse-error.ts";

type ReadChunk =
  | { readonly kind: "chunk"; readonly chunk: ChatChunk }
  | { readonly kind: "error"; readonly error: unknown }
  | { readonly kind: "words"; readonly text: string }
  | { readonly kind: "nothing" }
  | { readonly kind: "unreadable"; readonly message: string };

/** In UTF-16 units, of invalid JSON. */
const maxShownLength = 120;

export class ChunkReader {
  readonly dialect: ChatDialect;

  constructor(dialect: ChatDialect) {
    this.dialect = dialect;
  }

  /** @throws {RangeError} for JSON nested too deeply. */
  read(data: string): ReadChunk {
    let value: unknown;
    try {
      value = secureJson(data);
    } catch (error) {
      if (!/^\s*[[{"]/.test(data)) return { kind: "words", text: data };
      const shown = JSON.stringify(data.length > maxShownLength ? `${data.slice(0, maxShownLength)}…` : data);
      return {
        kind: "unreadable",
        message: `an event of it cannot be read as JSON (${String(error)}): ${shown}`,
      };
    }
    return isPlainChunk(value, this.dialect) ? { kind: "chunk", chunk: value } : lenientChunk(value);
  }
}

/** Fast path for the usual format, for which `lenientChunk` would return an equal result. */
export function isPlainChunk(value: unknown, dialect: ChatDialect): value is ChatChunk {
  if (!isObject(value) || !Array.isArray(value["choices"]) || Object.hasOwn(value, "error")) return false;
  if (!isText(value["id"]) || !isCount(value["created"]) || !isText(value["model"]) || !isUsage(value["usage"]))
    return false;
  const choices: readonly unknown[] = value["choices"];
  return choices.every((choice) => isChoice(choice, dialect));
}

function isChoice(value: unknown, dialect: ChatDialect): boolean {
  if (!isObject(value) || !isText(value["finish_reason"]) || !isNothing(value["finishReason"])) return false;
  if (dialect === "openai" && (!isNumber(value["index"]) || !isNothing(value["logprobs"]))) return false;
  const { delta } = value;
  if (!isNothing(value["message"]) || !isNothing(value["text"])) return false;
  if (isNothing(delta)) return true;
  if (!isObject(delta) || !isText(delta["content"])) return false;
  const { role } = delta;
  if (!isNothing(role) && role !== "assistant") return false;
  const isAsOfDialect = dialect === "compatible" || (isText(delta["refusal"]) && isNothing(delta["annotations"]));
  if (!isText(delta["reasoning_content"]) || !isText(delta["reasoning"])) return false;
  return isAsOfDialect && isNothing(delta["function_call"]) && isToolCalls(delta["tool_calls"], dialect);
}

function isToolCalls(value: unknown, dialect: ChatDialect): boolean {
  if (isNothing(value)) return true;
  if (!Array.isArray(value)) return false;
  const calls: readonly unknown[] = value;
  return calls.every((call) => {
    if (!isObject(call) || !isNumber(call["index"]) || !isText(call["id"])) return false;
    if (dialect === "openai" && !isNothing(call["type"]) && call["type"] !== "function") return false;
    if (dialect === "compatible" && !isNothing(call["extra_content"])) return false;
    const { function: said } = call;
    return isObject(said) && isText(said["name"]) && isText(said["arguments"]);
  });
}

function isUsage(value: unknown): boolean {
  if (isNothing(value)) return true;
  if (!isObject(value)) return false;
  const { prompt_tokens_details: prompt, completion_tokens_details: completion } = value;
  return (
    isCount(value["prompt_tokens"]) &&
    isCount(value["completion_tokens"]) &&
    isCount(value["total_tokens"]) &&
    hasCounts(prompt, ["cached_tokens", "cache_write_tokens"]) &&
    hasCounts(completion, ["reasoning_tokens", "accepted_prediction_tokens", "rejected_prediction_tokens"])
  );
}

function hasCounts(value: unknown, names: readonly string[]): boolean {
  return isNothing(value) || (isObject(value) && names.every((name) => isCount(value[name])));
}

function isNothing(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

function isText(value: unknown): boolean {
  return typeof value === "string" || isNothing(value);
}

function isNumber(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value);
}

function isCount(value: unknown): boolean {
  return isNumber(value) || isNothing(value);
}

type LenientChunk =
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

/** Reads text in the format of legacy completions. */
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

/** Returns arguments as JSON text; some servers send the parsed object. */
function argumentsOf(input: unknown): string | undefined {
  if (typeof input === "string") return input;
  // An empty object is a placeholder for later chunks.
  if (typeof input !== "object" || input === null || Object.keys(input).length === 0) return undefined;
  return JSON.stringify(input);
}

export interface ChatChunk {
  readonly id?: string | null | undefined;
  readonly created?: number | null | undefined;
  readonly model?: string | null | undefined;
  readonly choices: readonly ChatChoice[];
  readonly usage?: ChatRawUsage | null | undefined;
}

export interface ChatChoice {
  /** Some servers send a complete message at the end or instead of deltas. */
  readonly message?: ChatChunkDelta;
  readonly delta?: ChatChunkDelta | null | undefined;
  readonly finish_reason?: string | null | undefined;
}

export interface ChatChunkDelta {
  readonly content?: string | readonly ContentPart[] | null | undefined;
  /** Compatible endpoints may send any type. */
  readonly refusal?: unknown;
  readonly reasoning_content?: string | null | undefined;
  readonly reasoning?: string | null | undefined;
  readonly tool_calls?: readonly ToolCallDelta[] | null | undefined;
  readonly annotations?: readonly unknown[] | null | undefined;
}

export interface ContentPart {
  readonly type: string;
  readonly text?: unknown;
  readonly thinking?: unknown;
}

export interface ToolCallDelta {
  readonly index?: number | null | undefined;
  readonly id?: string | null | undefined;
  readonly type?: "function" | null | undefined;
  readonly function: { readonly name?: string | null | undefined; readonly arguments?: string | null | undefined };
  readonly extra_content?:
    | { readonly google?: { readonly thought_signature?: string | null | undefined } | null | undefined }
    | null
    | undefined;
}

export interface ChatRawUsage {
  /** Compatible endpoints may send any type. */
  readonly prompt_tokens?: unknown;
  readonly completion_tokens?: unknown;
  readonly total_tokens?: unknown;
  readonly prompt_tokens_details?: unknown;
  /** DeepSeek only. */
  readonly prompt_cache_hit_tokens?: unknown;
  readonly prompt_cache_miss_tokens?: unknown;
  readonly completion_tokens_details?: unknown;
  /** OpenRouter and Perplexity only. */
  readonly cost?: unknown;
}
