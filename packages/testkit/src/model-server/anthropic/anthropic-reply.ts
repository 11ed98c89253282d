import {
  argumentPieces,
  reasoningOf,
  textsOf,
  type ReplyContext,
  type ReplyUsage,
  type WrittenReply,
} from "../wire/model-reply.ts";
import { parseRequestJson } from "../wire/request-json.ts";
import { serverSentEvent } from "../wire/wire-format.ts";

interface Block {
  readonly start: object;
  readonly deltas: readonly object[];
}

const head = { id: "msg_1", type: "message", role: "assistant", model: "test-model" };

/** https://docs.claude.com/en/docs/build-with-claude/streaming */
export function anthropicStream(reply: WrittenReply, { usage }: ReplyContext): readonly string[] {
  const start = named("message_start", {
    message: {
      ...head,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      ...(usage === undefined ? {} : { usage: { ...inputUsage(usage), output_tokens: 1 } }),
    },
  });
  const opening = start + named("ping", {});
  if (reply.kind === "broken-json")
    return [opening + 'event: content_block_start\ndata: {"type":"content_blo\n\n', named("message_stop", {})];
  const isWhole = reply.kind === "text" || (reply.kind === "tool-calls" && reply.isCut !== true);
  const content = blocksOf(reply).flatMap((block, index, { length }) =>
    blockEvents(block, { index, isStopped: isWhole || index < length - 1 }),
  );
  const [first = "", ...rest] = content;
  if (reply.kind === "error-event")
    return [opening + first, ...rest, named("error", { error: errorOf(reply.error) })];
  if (!isWhole) return [opening + first, ...rest];
  const outputTokens = usage?.outputTokens;
  return [
    opening + first,
    ...rest,
    named("message_delta", {
      delta: stopOf(reply),
      ...(usage === undefined ? {} : { usage: { output_tokens: outputTokens ?? 0 } }),
    }),
    named("message_stop", {}),
  ];
}

/** https://docs.claude.com/en/api/messages */
export function anthropicMessage(reply: WrittenReply, { usage }: ReplyContext): string {
  if (reply.kind === "broken-json") return '{"id":"msg_1","type":"message","cont';
  if (reply.kind === "error-event") return JSON.stringify({ type: "error", error: errorOf(reply.error) });
  const reasoning = reasoningOf(reply);
  const calls = reply.kind === "tool-calls" ? reply.calls : [];
  const text = textsOf(reply).join("");
  return JSON.stringify({
    ...head,
    content: [
      ...(reasoning === undefined
        ? []
        : [{ type: "thinking", thinking: reasoning.text, signature: reasoning.signature ?? "" }]),
      ...(reasoning?.redacted === undefined ? [] : [{ type: "redacted_thinking", data: reasoning.redacted }]),
      ...(text === "" ? [] : [{ type: "text", text }]),
      ...calls.map((call) => {
        const input = parseRequestJson(argumentPieces(call).join(""))?.value ?? {};
        return { type: "tool_use", id: call.id, name: call.name, input };
      }),
    ],
    ...stopOf(reply),
    ...(usage === undefined ? {} : { usage: { ...inputUsage(usage), output_tokens: usage.outputTokens ?? 0 } }),
  });
}

function blocksOf(reply: WrittenReply): readonly Block[] {
  const reasoning = reasoningOf(reply);
  const chunks = textsOf(reply);
  const calls = reply.kind === "tool-calls" ? reply.calls : [];
  return [
    ...(reasoning === undefined
      ? []
      : [
          {
            start: { type: "thinking", thinking: "", signature: "" },
            deltas: [
              { type: "thinking_delta", thinking: reasoning.text },
              { type: "signature_delta", signature: reasoning.signature ?? "" },
            ],
          },
        ]),
    ...(reasoning?.redacted === undefined
      ? []
      : [{ start: { type: "redacted_thinking", data: reasoning.redacted }, deltas: [] }]),
    ...(chunks.length === 0
      ? []
      : [{ start: { type: "text", text: "" }, deltas: chunks.map((text) => ({ type: "text_delta", text })) }]),
    ...calls.map((call) => ({
      start: { type: "tool_use", id: call.id, name: call.name, input: {} },
      deltas: ["", ...argumentPieces(call)].map((json) => ({ type: "input_json_delta", partial_json: json })),
    })),
  ];
}

/** The first delta includes the block's start, the last one its stop. */
function blockEvents(
  { start, deltas }: Block,
  { index, isStopped }: { readonly index: number; readonly isStopped: boolean },
): readonly string[] {
  const opening = named("content_block_start", { index, content_block: start });
  const [first = "", ...rest] = deltas.map((delta) => named("content_block_delta", { index, delta }));
  const events = [opening + first, ...rest];
  const stop = isStopped ? named("content_block_stop", { index }) : "";
  return events.map((event, place) => (place === events.length - 1 ? event + stop : event));
}

/** `input_tokens` excludes cache reads and writes. */
function inputUsage({ inputTokens = 0, cacheReadTokens, cacheWriteTokens }: ReplyUsage): object {
  return {
    input_tokens: inputTokens - (cacheReadTokens ?? 0) - (cacheWriteTokens ?? 0),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cacheReadTokens,
  };
}

/** https://docs.claude.com/en/api/errors */
function errorOf({ message, code }: { readonly message: string; readonly code?: string | number }): object {
  if (typeof code === "string") return { type: code, message };
  if (code === 503 || code === 529) return { type: "overloaded_error", message };
  return { type: code === 429 ? "rate_limit_error" : "api_error", message };
}

function stopOf(reply: WrittenReply): object {
  const sequence = reply.kind === "text" ? reply.stopSequence : undefined;
  if (sequence !== undefined) return { stop_reason: "stop_sequence", stop_sequence: sequence };
  const explanation = reply.kind === "text" ? reply.explanation : undefined;
  const details =
    explanation === undefined ? {} : { stop_details: { type: "refusal", category: null, explanation } };
  return { stop_reason: stopReasonOf(reply), stop_sequence: null, ...details };
}

/** https://docs.claude.com/en/api/handling-stop-reasons */
function stopReasonOf(reply: WrittenReply): string {
  if (reply.kind === "tool-calls") return "tool_use";
  if (reply.kind !== "text" || reply.end === undefined) return "end_turn";
  return reply.end === "length" ? "max_tokens" : "refusal";
}

function named(type: string, fields: object): string {
  return serverSentEvent({ type, ...fields }, type);
}
