import type { FinishReason, Usage } from "@incipit/schema";
import type { ReplyFinish, ReplyDelta } from "../reply/reply-event.ts";
import type { ChatCompletion, ChatCompletionChunk, ChatDelta, ChatHead, WrittenUsage } from "./chat-completion.ts";

type ChatFinishReason = ChatCompletion["choices"][number]["finish_reason"];
type ChatToolCall = NonNullable<ChatCompletion["choices"][number]["message"]["tool_calls"]>[number];

/** Formats a reply as an OpenAI completion, complete or as stream deltas. */
export class ChatReply {
  readonly #head: ChatHead;
  #content = "";
  #reasoning = "";
  readonly #calls: ChatToolCall[] = [];

  constructor(head: ChatHead) {
    this.#head = head;
  }

  /** `undefined` without visible output. Tool calls are complete. */
  take(event: ReplyDelta): ChatDelta | undefined {
    switch (event.type) {
      case "text-delta":
        this.#content += event.text;
        return { content: event.text };
      case "reasoning-delta":
        this.#reasoning += event.text;
        return { reasoning_content: event.text };
      case "tool-call": {
        const { toolCallId: id, name, input } = event;
        const call: ChatToolCall = { id, type: "function", function: { name, arguments: input } };
        return { tool_calls: [{ index: this.#calls.push(call) - 1, ...call }] };
      }
      default:
        return undefined;
    }
  }

  chunk(delta: ChatDelta, finishReason: ChatFinishReason | null = null): ChatCompletionChunk {
    const choice = { index: 0, delta, logprobs: null, finish_reason: finishReason } as const;
    return { ...this.#head, object: "chat.completion.chunk", choices: [choice] };
  }

  lastChunks(finish: ReplyFinish, { hasUsage }: { readonly hasUsage: boolean }): readonly ChatCompletionChunk[] {
    const usage = toChatUsage(finish.usage);
    const end = this.chunk({}, this.#finishReason(finish.finishReason));
    if (!hasUsage || usage === undefined) return [end];
    return [end, { ...this.#head, object: "chat.completion.chunk", choices: [], usage }];
  }

  completion({ finishReason, usage: reported }: ReplyFinish): ChatCompletion {
    const usage = toChatUsage(reported);
    const message = {
      role: "assistant",
      content: this.#content === "" && this.#calls.length > 0 ? null : this.#content,
      refusal: null,
      ...(this.#reasoning === "" ? {} : { reasoning_content: this.#reasoning }),
      ...(this.#calls.length === 0 ? {} : { tool_calls: this.#calls }),
    } as const;
    return {
      ...this.#head,
      object: "chat.completion",
      choices: [{ index: 0, message, logprobs: null, finish_reason: this.#finishReason(finishReason) }],
      ...(usage === undefined ? {} : { usage }),
    };
  }

  #finishReason(reason: FinishReason): ChatFinishReason {
    if (reason === "length") return "length";
    if (reason === "content-filter") return "content_filter";
    return this.#calls.length > 0 ? "tool_calls" : "stop";
  }
}

/** Omits unreported values: 0 would mean that there was no cost. */
function toChatUsage({
  inputTokens,
  outputTokens,
  cacheReadTokens,
  cacheWriteTokens,
  reasoningTokens,
}: Usage): WrittenUsage | undefined {
  if (inputTokens === null && outputTokens === null) return undefined;
  const details = {
    ...(cacheReadTokens === null ? {} : { cached_tokens: cacheReadTokens }),
    ...(cacheWriteTokens === null ? {} : { cache_write_tokens: cacheWriteTokens }),
  };
  return {
    ...(inputTokens === null ? {} : { prompt_tokens: inputTokens }),
    ...(outputTokens === null ? {} : { completion_tokens: outputTokens }),
    ...(inputTokens === null || outputTokens === null ? {} : { total_tokens: inputTokens + outputTokens }),
    ...(Object.keys(details).length === 0 ? {} : { prompt_tokens_details: details }),
    ...(reasoningTokens === undefined ? {} : { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
  };
}
