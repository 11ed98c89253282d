import { lazySchema, type FinishReason, type Usage } from "@incipit/schema";
import type { ModelFailure } from "@incipit/service-contract";
import {
  anthropicErrorOf,
  anthropicErrorOfFailure,
  routes,
  type AnthropicErrorResponse,
  type AnthropicReply,
  type AnthropicSaidBlock,
  type AnthropicStopReason,
  type AnthropicStreamEvent,
  type AnthropicUsage,
} from "@incipit/transport-contract";
import type { ReplyFinish, ReplyDelta } from "@incipit/wire";
import * as z from "zod";
import { answer } from "../answer/answer.ts";
import type { CallHead, ReplyWriter } from "../calls/answer-call.ts";

export type MessageEvent = AnthropicStreamEvent | AnthropicErrorResponse;

interface OpenBlock {
  readonly kind: "text" | "thinking";
  readonly partId: string;
  text: string;
}

interface Stop {
  readonly stop_reason: AnthropicStopReason;
  readonly stop_sequence: string | null;
}

/** https://docs.claude.com/en/docs/build-with-claude/streaming */
export class MessageWriter implements ReplyWriter<MessageEvent> {
  readonly #head: CallHead;
  readonly #content: AnthropicSaidBlock[] = [];
  #open: OpenBlock | undefined;

  constructor(head: CallHead) {
    this.#head = head;
  }

  begin(): readonly AnthropicStreamEvent[] {
    return [
      { type: "message_start", message: this.#message({ stop_reason: null, stop_sequence: null }, nothingUsed) },
    ];
  }

  take(said: ReplyDelta): readonly AnthropicStreamEvent[] {
    switch (said.type) {
      case "text-delta":
      case "reasoning-delta":
        return said.text === "" ? [] : this.#write(said);
      case "text-end":
      case "reasoning-end":
        return this.#open?.partId === said.partId ? this.#close() : [];
      case "tool-call":
        return [...this.#close(), ...this.#call(said)];
      case "text-start":
      case "reasoning-start":
      case "tool-call-start":
        return []; // A block starts with its content.
    }
  }

  end(finish: ReplyFinish): readonly AnthropicStreamEvent[] {
    return [
      ...this.#close(),
      {
        type: "message_delta",
        delta: this.#stop(finish),
        usage: usageOf(finish.usage),
      },
      { type: "message_stop" },
    ];
  }

  failed({ code, message }: ModelFailure): readonly MessageEvent[] {
    return [anthropicErrorOfFailure(code, message, this.#head.callId).body];
  }

  notAnyMore(message: string): readonly MessageEvent[] {
    return [{ ...anthropicErrorOf("UNAUTHORIZED", message).body, request_id: this.#head.callId }];
  }

  whole(finish: ReplyFinish): Response {
    this.#close();
    return answer(routes.createMessage, this.#message(this.#stop(finish), usageOf(finish.usage)));
  }

  #write({
    type,
    partId,
    text,
  }: Extract<ReplyDelta, { type: "text-delta" | "reasoning-delta" }>): readonly AnthropicStreamEvent[] {
    const kind = type === "text-delta" ? "text" : "thinking";
    const events: AnthropicStreamEvent[] = [];
    if (this.#open?.kind !== kind || this.#open.partId !== partId) {
      events.push(...this.#close());
      this.#open = { kind, partId, text: "" };
      events.push({ type: "content_block_start", index: this.#content.length, content_block: blockOf(kind, "") });
    }
    this.#open.text += text;
    const delta =
      kind === "text"
        ? ({ type: "text_delta", text } as const)
        : ({ type: "thinking_delta", thinking: text } as const);
    return [...events, { type: "content_block_delta", index: this.#content.length, delta }];
  }

  #close(): readonly AnthropicStreamEvent[] {
    if (this.#open === undefined) return [];
    const index = this.#content.length;
    const { kind, text } = this.#open;
    this.#open = undefined;
    this.#content.push(this.#signed(blockOf(kind, text)));
    const end: AnthropicStreamEvent = { type: "content_block_stop", index };
    if (kind === "text") return [end];
    const delta = { type: "signature_delta", signature: this.#signature } as const;
    return [{ type: "content_block_delta", index, delta }, end];
  }

  #call({
    toolCallId: id,
    name,
    input: text,
  }: Extract<ReplyDelta, { type: "tool-call" }>): readonly AnthropicStreamEvent[] {
    const index = this.#content.length;
    const input = inputOf(text);
    this.#content.push({ type: "tool_use", id, name, input });
    return [
      { type: "content_block_start", index, content_block: { type: "tool_use", id, name, input: {} } },
      {
        type: "content_block_delta",
        index,
        delta: { type: "input_json_delta", partial_json: JSON.stringify(input) },
      },
      { type: "content_block_stop", index },
    ];
  }

  /** Clients require a signature. The host finds the vendor's by the reply's tool calls. */
  get #signature(): string {
    return `incipit:${this.#head.callId}`;
  }

  #signed(block: AnthropicSaidBlock): AnthropicSaidBlock {
    return block.type === "thinking" ? { ...block, signature: this.#signature } : block;
  }

  #message(stop: Pick<AnthropicReply, "stop_reason" | "stop_sequence">, usage: AnthropicUsage): AnthropicReply {
    return {
      id: `msg_${this.#head.callId}`,
      type: "message",
      role: "assistant",
      model: this.#head.model,
      content: [...this.#content],
      ...stop,
      usage,
    };
  }

  #stop({ finishReason, stopSequence }: ReplyFinish): Stop {
    if (finishReason === "stop" && stopSequence !== undefined)
      return { stop_reason: "stop_sequence", stop_sequence: stopSequence };
    return { stop_reason: this.#stopReason(finishReason), stop_sequence: null };
  }

  #stopReason(reason: FinishReason): AnthropicStopReason {
    if (reason === "length") return "max_tokens";
    if (reason === "content-filter") return "refusal";
    return this.#content.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn";
  }
}

const nothingUsed: AnthropicUsage = {
  input_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
  output_tokens: 0,
};

function blockOf(kind: OpenBlock["kind"], text: string): AnthropicSaidBlock {
  return kind === "text"
    ? { type: "text", text, citations: null }
    : { type: "thinking", thinking: text, signature: "" };
}

const argumentsSchema = lazySchema(() => z.record(z.string(), z.json()));

/** Vendors that parse arguments make anything but a JSON object an empty one. */
function inputOf(text: string): z.infer<typeof argumentsSchema> {
  try {
    return argumentsSchema.safeParse(JSON.parse(text)).data ?? {};
  } catch {
    return {};
  }
}

function usageOf({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Usage): AnthropicUsage {
  const [read, written] = [cacheReadTokens ?? 0, cacheWriteTokens ?? 0];
  return {
    input_tokens: Math.max(0, (inputTokens ?? 0) - read - written),
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
    output_tokens: outputTokens ?? 0,
  };
}
