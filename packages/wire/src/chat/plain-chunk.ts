import { isObject } from "@incipit/schema";
import type { ChatChunk } from "./chat-chunk.ts";
import type { ChatDialect } from "./chat-request.ts";

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
