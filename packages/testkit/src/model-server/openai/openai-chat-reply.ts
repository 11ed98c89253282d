import {
  argumentPieces,
  reasoningOf,
  textsOf,
  type ReplyContext,
  type ReplyUsage,
  type WrittenReply,
} from "../wire/model-reply.ts";
import { serverSentEvent } from "../wire/wire-format.ts";

export type ChatUsage = (usage: ReplyUsage) => object;

/** https://platform.openai.com/docs/api-reference/chat/object#chat-object-usage */
export function openAiChatUsage(usage: ReplyUsage): object {
  const { cacheReadTokens: cached_tokens, cacheWriteTokens: cache_write_tokens } = usage;
  return {
    ...totals(usage),
    ...(cached_tokens === undefined && cache_write_tokens === undefined
      ? {}
      : { prompt_tokens_details: { cached_tokens, cache_write_tokens } }),
  };
}

/** https://api-docs.deepseek.com/guides/kv_cache */
export function deepSeekUsage(usage: ReplyUsage): object {
  const { inputTokens = 0, cacheReadTokens } = usage;
  return {
    ...totals(usage),
    ...(cacheReadTokens === undefined
      ? {}
      : {
          prompt_cache_hit_tokens: cacheReadTokens,
          prompt_cache_miss_tokens: inputTokens - cacheReadTokens,
        }),
  };
}

function totals({ inputTokens: prompt_tokens, outputTokens: completion_tokens }: ReplyUsage): object {
  return { prompt_tokens, completion_tokens, total_tokens: (prompt_tokens ?? 0) + (completion_tokens ?? 0) };
}

const head = { id: "chatcmpl-1", created: 1_700_000_000, model: "test-model" };
const done = "data: [DONE]\n\n";

/** https://platform.openai.com/docs/api-reference/chat-streaming */
export function chatStream(reply: WrittenReply, { usage }: ReplyContext, toUsage: ChatUsage): readonly string[] {
  const event = (delta: object, finishReason: string | null = null): string =>
    chunk([{ index: 0, delta, finish_reason: finishReason }]);
  const said = (content: string): string => event({ role: "assistant", content });
  const reasoning = reasoningOf(reply)?.text;
  const thought = reasoning === undefined ? [] : [event({ role: "assistant", reasoning_content: reasoning })];
  const end = [
    event({}, finishReasonOf(reply)),
    ...(usage === undefined ? [] : [chunk([], { usage: toUsage(usage) })]),
    done,
  ];
  switch (reply.kind) {
    case "broken-json":
      return ['data: {"id":"chatcmpl-1","choices":[{"del\n\n', done];
    case "cut":
      return reply.chunks.map(said);
    case "error-event":
      return [...reply.chunks.map(said), serverSentEvent({ error: { type: "server_error", ...reply.error } })];
    case "tool-calls": {
      const text = textsOf(reply).map(said);
      const calls = reply.calls.flatMap((call, index) => {
        const { id, name, thoughtSignature } = call;
        const [first, ...rest] = argumentPieces(call);
        // https://ai.google.dev/gemini-api/docs/thought-signatures
        const signature =
          thoughtSignature === undefined
            ? {}
            : { extra_content: { google: { thought_signature: thoughtSignature } } };
        const opening = { index, id, type: "function", function: { name, arguments: first }, ...signature };
        return [
          event({ role: "assistant", tool_calls: [opening] }),
          ...rest.map((more) => event({ tool_calls: [{ index, function: { arguments: more } }] })),
        ];
      });
      return reply.isCut === true ? [...text, ...calls] : [...thought, ...text, ...calls, ...end];
    }
    case "text":
      return [...thought, ...reply.chunks.map(said), ...end];
  }
}

export function chatCompletion(reply: WrittenReply, { usage }: ReplyContext, toUsage: ChatUsage): string {
  if (reply.kind === "error-event") return JSON.stringify({ error: reply.error });
  if (reply.kind === "broken-json") return '{"id":"chatcmpl-1","choices":[{"mess';
  const message =
    reply.kind === "tool-calls"
      ? {
          role: "assistant",
          content: reply.text ?? null,
          tool_calls: reply.calls.map((call) => ({
            id: call.id,
            type: "function",
            function: { name: call.name, arguments: argumentPieces(call).join("") },
          })),
        }
      : { role: "assistant", content: textsOf(reply).join("") };
  return JSON.stringify({
    ...head,
    object: "chat.completion",
    choices: [{ index: 0, message, finish_reason: finishReasonOf(reply) }],
    ...(usage === undefined ? {} : { usage: toUsage(usage) }),
  });
}

function chunk(choices: readonly object[], more: object = {}): string {
  return serverSentEvent({ ...head, object: "chat.completion.chunk", choices, ...more });
}

function finishReasonOf(reply: WrittenReply): string {
  if (reply.kind === "tool-calls") return "tool_calls";
  if (reply.kind !== "text" || reply.end === undefined) return "stop";
  return reply.end === "length" ? "length" : "content_filter";
}
