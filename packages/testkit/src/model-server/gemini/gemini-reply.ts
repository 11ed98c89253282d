import {
  argumentPieces,
  reasoningOf,
  textsOf,
  type ReplyCall,
  type ReplyContext,
  type ReplyUsage,
  type WrittenReply,
} from "../wire/model-reply.ts";
import { parseRequestJson, type RequestJson } from "../wire/request-json.ts";
import { serverSentEvent } from "../wire/wire-format.ts";

const head = { modelVersion: "test-model", responseId: "response-1" };

/** https://ai.google.dev/api/generate-content */
export function geminiStream(reply: WrittenReply, { usage }: ReplyContext): readonly string[] {
  if (reply.kind === "broken-json") return ['data: {"candidates": [{"content": {"par\r\n\r\n'];
  const groups = partGroups(reply);
  if (reply.kind === "error-event")
    return [...groups.map((parts) => event(reply, { parts })), serverSentEvent({ error: errorOf(reply.error) })];
  if (reply.kind === "cut" || (reply.kind === "tool-calls" && reply.isCut === true))
    return groups.map((parts) => event(reply, { parts }));
  // A signature without a call comes last, with an empty text.
  const last = reply.kind === "text" ? signedEnd(reply) : [];
  return [...groups.map((parts) => event(reply, { parts })), event(reply, { parts: last, isEnd: true, usage })];
}

export function geminiResponse(reply: WrittenReply, { usage }: ReplyContext): string {
  if (reply.kind === "broken-json") return '{"candidates": [{"content": {"par';
  if (reply.kind === "error-event") return JSON.stringify({ error: errorOf(reply.error) });
  const parts = [...partGroups(reply).flat(), ...signedEnd(reply)];
  return JSON.stringify(response(reply, { parts, isEnd: true, usage }));
}

interface EventOptions {
  readonly parts: readonly object[];
  readonly isEnd?: boolean;
  readonly usage?: ReplyUsage | undefined;
}

function event(reply: WrittenReply, options: EventOptions): string {
  return serverSentEvent(response(reply, options)).replaceAll("\n", "\r\n");
}

function response(reply: WrittenReply, { parts, isEnd = false, usage }: EventOptions): object {
  const content = parts.length === 0 ? {} : { content: { role: "model", parts } };
  const explanation = reply.kind === "text" ? reply.explanation : undefined;
  const why = explanation === undefined ? {} : { finishMessage: explanation };
  const finish = isEnd ? { finishReason: finishReasonOf(reply), ...why } : {};
  return {
    candidates: [{ ...content, ...finish, index: 0 }],
    ...(usage === undefined ? {} : { usageMetadata: usageOf(usage) }),
    ...head,
  };
}

function partGroups(reply: WrittenReply): readonly (readonly object[])[] {
  const reasoning = reasoningOf(reply);
  const thought = reasoning === undefined ? [] : [[{ text: reasoning.text, thought: true }]];
  const calls = reply.kind === "tool-calls" ? reply.calls.filter(hasWholeArguments) : [];
  const parts = calls.map((call, index) => callPart(call, index === 0 ? reasoning?.signature : undefined));
  return [...thought, ...textsOf(reply).map((text) => [{ text }]), ...parts.map((part) => [part])];
}

/** https://ai.google.dev/gemini-api/docs/thought-signatures: the first of parallel calls has it. */
function callPart(call: ReplyCall, signature: string | undefined): object {
  const { id, name, thoughtSignature = signature } = call;
  const args = argumentsOf(call)?.value;
  return {
    functionCall: { ...(id === "" ? {} : { id }), name, args },
    ...(thoughtSignature === undefined ? {} : { thoughtSignature }),
  };
}

/** Arguments are a value, so invalid JSON cannot be sent. */
function hasWholeArguments(call: ReplyCall): boolean {
  return argumentsOf(call) !== undefined;
}

function argumentsOf(call: ReplyCall): RequestJson | undefined {
  return parseRequestJson(argumentPieces(call).join(""));
}

function signedEnd(reply: WrittenReply): readonly object[] {
  const signature = reply.kind === "text" ? reasoningOf(reply)?.signature : undefined;
  return signature === undefined ? [] : [{ text: "", thoughtSignature: signature }];
}

/** Zero counts are omitted, like protocol buffers in JSON: https://protobuf.dev/programming-guides/json */
function usageOf({ inputTokens, outputTokens, cacheReadTokens }: ReplyUsage): object {
  return {
    promptTokenCount: inputTokens || undefined,
    candidatesTokenCount: outputTokens || undefined,
    totalTokenCount: (inputTokens ?? 0) + (outputTokens ?? 0) || undefined,
    cachedContentTokenCount: cacheReadTokens || undefined,
  };
}

function finishReasonOf(reply: WrittenReply): string {
  if (reply.kind === "tool-calls" && !reply.calls.every(hasWholeArguments)) return "MALFORMED_FUNCTION_CALL";
  if (reply.kind !== "text" || reply.end === undefined) return "STOP";
  return reply.end === "length" ? "MAX_TOKENS" : "SAFETY";
}

/** https://ai.google.dev/gemini-api/docs/troubleshooting */
function errorOf({ message, code }: { readonly message: string; readonly code?: string | number }): object {
  const status = code === 429 ? "RESOURCE_EXHAUSTED" : code === 503 ? "UNAVAILABLE" : "INTERNAL";
  return typeof code === "string" ? { message, status: code } : { code: code ?? 500, message, status };
}
