import {
  argumentPieces,
  reasoningOf,
  textsOf,
  type ReplyCall,
  type ReplyContext,
  type ReplyReasoning,
  type ReplyUsage,
  type WrittenReply,
} from "../wire/model-reply.ts";
import { serverSentEvent } from "../wire/wire-format.ts";

interface ItemEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

interface OutputItem {
  readonly added: object;
  readonly open: readonly ItemEvent[];
  readonly deltas: readonly ItemEvent[];
  readonly close: readonly ItemEvent[];
  readonly done: object;
}

/** Unique within a conversation. */
const headOf = (number: number): object => ({
  id: `resp_${number}`,
  object: "response",
  created_at: 1_700_000_000,
  model: "test-model",
});

/** https://platform.openai.com/docs/api-reference/responses-streaming */
export function responsesStream(reply: WrittenReply, { usage, number }: ReplyContext): readonly string[] {
  let sequence = 0;
  const named = ({ type, ...fields }: ItemEvent): string =>
    serverSentEvent({ type, sequence_number: (sequence += 1) - 1, ...fields }, type);
  const head = headOf(number);
  const started = { response: { ...head, status: "in_progress", output: [] } };
  const opening =
    named({ type: "response.created", ...started }) + named({ type: "response.in_progress", ...started });
  if (reply.kind === "broken-json")
    return [`${opening}event: response.output_text.delta\ndata: {"type":"respo\n\n`];
  const isWhole = reply.kind === "text" || (reply.kind === "tool-calls" && reply.isCut !== true);
  const items = itemsOf(reply, number);
  const content = items.flatMap(({ added, open, deltas, close, done }, output_index) => {
    const isDone = isWhole || output_index < items.length - 1;
    return deltas.map((delta, index) => {
      const isLast = isDone && index === deltas.length - 1;
      return [
        ...(index === 0 ? [{ type: "response.output_item.added", item: added }, ...open] : []),
        delta,
        ...(isLast ? [...close, { type: "response.output_item.done", item: done }] : []),
      ]
        .map((event) => named({ ...event, output_index }))
        .join("");
    });
  });
  const [first = "", ...rest] = content;
  if (reply.kind === "error-event") return [opening + first, ...rest, named(failure(reply, head))];
  if (!isWhole) return [opening + first, ...rest];
  return [opening + first, ...rest, named(ending(reply, { usage, number }))];
}

/** https://platform.openai.com/docs/api-reference/responses/object */
export function responsesResponse(reply: WrittenReply, context: ReplyContext): string {
  if (reply.kind === "broken-json") return '{"id":"resp_1","object":"response","outp';
  if (reply.kind === "error-event") return JSON.stringify({ error: { type: "server_error", ...reply.error } });
  return JSON.stringify(ending(reply, context).response);
}

/** Mid-reply it fails the response; before the first chunk it is an error without a response. */
function failure({ chunks, error }: Extract<WrittenReply, { kind: "error-event" }>, head: object): ItemEvent {
  const number = error.code === 429 ? "rate_limit_exceeded" : "server_error";
  const code = typeof error.code === "string" ? error.code : number;
  const { message } = error;
  if (chunks.length === 0) return { type: "error", code, message, param: null };
  return { type: "response.failed", response: { ...head, status: "failed", error: { code, message }, output: [] } };
}

function ending(
  reply: WrittenReply,
  { usage, number }: ReplyContext,
): { readonly type: string; readonly response: object } {
  const end = reply.kind === "text" ? reply.end : undefined;
  const reason = end === "length" ? "max_output_tokens" : "content_filter";
  const response = {
    ...headOf(number),
    status: end === undefined ? "completed" : "incomplete",
    incomplete_details: end === undefined ? null : { reason },
    output: itemsOf(reply, number).map(({ done }) => done),
    ...(usage === undefined ? {} : { usage: usageOf(usage) }),
  };
  return { type: end === undefined ? "response.completed" : "response.incomplete", response };
}

function itemsOf(reply: WrittenReply, number: number): readonly OutputItem[] {
  if (reply.kind === "broken-json") return [];
  const reasoning = reasoningOf(reply);
  const calls = reply.kind === "tool-calls" ? reply.calls : [];
  const chunks = textsOf(reply);
  return [
    ...(reasoning === undefined ? [] : [reasoningItem(reasoning, `rs_${number}`)]),
    ...(chunks.length === 0 ? [] : [messageItem(chunks, `msg_${number}`)]),
    ...calls.map((call, index) => callItem(call, `fc_${number}_${index + 1}`)),
  ];
}

function reasoningItem({ text, signature }: ReplyReasoning, id: string): OutputItem {
  const place = { item_id: id, summary_index: 0 };
  const part = { type: "summary_text", text };
  const item = { type: "reasoning", id, ...(signature === undefined ? {} : { encrypted_content: signature }) };
  return {
    added: { ...item, summary: [] },
    open: [{ type: "response.reasoning_summary_part.added", ...place, part: { ...part, text: "" } }],
    deltas: [{ type: "response.reasoning_summary_text.delta", ...place, delta: text }],
    close: [
      { type: "response.reasoning_summary_text.done", ...place, text },
      { type: "response.reasoning_summary_part.done", ...place, part },
    ],
    done: { ...item, summary: [part] },
  };
}

function messageItem(chunks: readonly string[], id: string): OutputItem {
  const item = { type: "message", id, role: "assistant" };
  const place = { item_id: id, content_index: 0 };
  const part = { type: "output_text", text: chunks.join(""), annotations: [] };
  return {
    added: { ...item, status: "in_progress", content: [] },
    open: [{ type: "response.content_part.added", ...place, part: { ...part, text: "" } }],
    deltas: chunks.map((delta) => ({ type: "response.output_text.delta", ...place, delta })),
    close: [
      { type: "response.output_text.done", ...place, text: part.text },
      { type: "response.content_part.done", ...place, part },
    ],
    done: { ...item, status: "completed", content: [part] },
  };
}

function callItem(call: ReplyCall, id: string): OutputItem {
  const item = { type: "function_call", id, call_id: call.id, name: call.name };
  const pieces = argumentPieces(call);
  const whole = { arguments: pieces.join("") };
  return {
    added: { ...item, arguments: "", status: "in_progress" },
    open: [],
    deltas: pieces.map((delta) => ({ type: "response.function_call_arguments.delta", item_id: id, delta })),
    close: [{ type: "response.function_call_arguments.done", item_id: id, ...whole }],
    done: { ...item, ...whole, status: "completed" },
  };
}

function usageOf({ inputTokens = 0, outputTokens = 0, cacheReadTokens, cacheWriteTokens }: ReplyUsage): object {
  return {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...(cacheReadTokens === undefined && cacheWriteTokens === undefined
      ? {}
      : { input_tokens_details: { cached_tokens: cacheReadTokens, cache_write_tokens: cacheWriteTokens } }),
    output_tokens_details: { reasoning_tokens: 0 },
  };
}
