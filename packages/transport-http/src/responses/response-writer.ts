import type { FinishReason, Usage } from "@incipit/schema";
import type { ModelFailure } from "@incipit/service-contract";
import {
  openAiErrorOf,
  openAiErrorOfFailure,
  routes,
  type ResponseObject,
  type ResponseOutputItem,
  type ResponseRequest,
  type ResponseStreamEvent,
  type ResponseUsage,
} from "@incipit/transport-contract";
import type { ReplyFinish, ReplySaid } from "@incipit/wire";
import { answer } from "../answer/answer.ts";
import type { CallHead, ReplyWriter } from "../calls/answer-call.ts";
import { itemIdOf, responseIdOf } from "./response-ids.ts";

/** What an event says beside its kind and its number. */
type EventFields = Omit<ResponseStreamEvent, "type" | "sequence_number">;
type Said = Extract<ReplySaid, { type: "text-delta" | "reasoning-delta" }>;

/** What is written at this moment: parts of a reply come one after the other. */
interface OpenItem {
  readonly type: "message" | "reasoning";
  readonly id: string;
  readonly partId: string;
  text: string;
}

export interface ResponseWriterOptions {
  readonly head: CallHead;
  readonly request: ResponseRequest;
  /** Keeps a response that has ended; `undefined`: it is not to be kept. */
  readonly keep: ((response: ResponseObject) => Promise<void>) | undefined;
}

/** Writes a reply as OpenAI's responses: https://platform.openai.com/docs/api-reference/responses-streaming */
export class ResponseWriter implements ReplyWriter<ResponseStreamEvent> {
  readonly #options: ResponseWriterOptions;
  readonly #output: ResponseOutputItem[] = [];
  #open: OpenItem | undefined;
  /** Events of what was open when the reply was stored. */
  readonly #left: ResponseStreamEvent[] = [];
  #count = 0;

  constructor(options: ResponseWriterOptions) {
    this.#options = options;
  }

  begin(): readonly ResponseStreamEvent[] {
    const response = this.#response({ status: "in_progress" });
    return [this.#event("response.created", { response }), this.#event("response.in_progress", { response })];
  }

  take(said: ReplySaid): readonly ResponseStreamEvent[] {
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
        return []; // An item begins with what is in it.
    }
  }

  async store(finish: ReplyFinish): Promise<void> {
    this.#left.push(...this.#close());
    await this.#options.keep?.(this.#ended(finish));
  }

  end(finish: ReplyFinish): readonly ResponseStreamEvent[] {
    const response = this.#ended(finish);
    const type = response.status === "incomplete" ? "response.incomplete" : "response.completed";
    return [...this.#left, this.#event(type, { response })];
  }

  failed({ code, message }: ModelFailure): readonly ResponseStreamEvent[] {
    return this.#failed(openAiErrorOfFailure(code, message).error);
  }

  notAnyMore(message: string): readonly ResponseStreamEvent[] {
    return this.#failed(openAiErrorOf("UNAUTHORIZED", message).error);
  }

  whole(finish: ReplyFinish): Response {
    return answer(routes.createResponse, this.#ended(finish));
  }

  #failed({
    code,
    message,
  }: {
    readonly code: string | null;
    readonly message: string;
  }): readonly ResponseStreamEvent[] {
    const response = this.#response({ status: "failed", error: { code: code ?? "server_error", message } });
    return [...this.#left, this.#event("response.failed", { response })];
  }

  #write({ type, partId, text }: Said): readonly ResponseStreamEvent[] {
    const kind = type === "text-delta" ? "message" : "reasoning";
    const events: ResponseStreamEvent[] = [];
    if (this.#open?.type !== kind || this.#open.partId !== partId) {
      events.push(...this.#close());
      const id = itemIdOf(this.#options.head.callId, kind, this.#output.length);
      this.#open = { type: kind, id, partId, text: "" };
      events.push(...this.#begun(this.#open));
    }
    const open = this.#open;
    open.text += text;
    const at = this.#place(open);
    const delta =
      kind === "message"
        ? this.#event("response.output_text.delta", { ...at, delta: text, logprobs: [] })
        : this.#event("response.reasoning_summary_text.delta", { ...at, delta: text });
    return [...events, delta];
  }

  #begun(open: OpenItem): readonly ResponseStreamEvent[] {
    const added = this.#event("response.output_item.added", {
      output_index: this.#output.length,
      item: itemOf(open, "in_progress"),
    });
    const kind = open.type === "message" ? "response.content_part.added" : "response.reasoning_summary_part.added";
    return [added, this.#event(kind, { ...this.#place(open), part: partOf(open) })];
  }

  #close(): readonly ResponseStreamEvent[] {
    const open = this.#open;
    if (open === undefined) return [];
    this.#open = undefined;
    const at = this.#place(open);
    const { text } = open;
    const item = itemOf(open, "completed");
    const events =
      open.type === "message"
        ? [
            this.#event("response.output_text.done", { ...at, text, logprobs: [] }),
            this.#event("response.content_part.done", { ...at, part: partOf(open) }),
          ]
        : [
            this.#event("response.reasoning_summary_text.done", { ...at, text }),
            this.#event("response.reasoning_summary_part.done", { ...at, part: partOf(open) }),
          ];
    const output_index = this.#output.push(item) - 1;
    return [...events, this.#event("response.output_item.done", { output_index, item })];
  }

  #call({
    toolCallId: call_id,
    name,
    input,
  }: Extract<ReplySaid, { type: "tool-call" }>): readonly ResponseStreamEvent[] {
    const output_index = this.#output.length;
    const id = itemIdOf(this.#options.head.callId, "function_call", output_index);
    const item = (status: "in_progress" | "completed", text: string): ResponseOutputItem => ({
      type: "function_call",
      id,
      status,
      call_id,
      name,
      arguments: text,
    });
    const at = { item_id: id, output_index };
    this.#output.push(item("completed", input));
    return [
      this.#event("response.output_item.added", { output_index, item: item("in_progress", "") }),
      this.#event("response.function_call_arguments.delta", { ...at, delta: input }),
      this.#event("response.function_call_arguments.done", { ...at, name, arguments: input }),
      this.#event("response.output_item.done", { output_index, item: item("completed", input) }),
    ];
  }

  #place({ type, id }: OpenItem): EventFields {
    const at = { item_id: id, output_index: this.#output.length };
    return type === "message" ? { ...at, content_index: 0 } : { ...at, summary_index: 0 };
  }

  #event(type: string, fields: EventFields): ResponseStreamEvent {
    return { type, sequence_number: this.#count++, ...fields };
  }

  #ended({ finishReason, usage }: ReplyFinish): ResponseObject {
    const reason = incompleteReasonOf(finishReason);
    return this.#response({
      status: reason === undefined ? "completed" : "incomplete",
      incomplete_details: reason === undefined ? null : { reason },
      usage: usageOf(usage),
    });
  }

  #response(state: Pick<ResponseObject, "status"> & Partial<ResponseObject>): ResponseObject {
    const { head, request, keep } = this.#options;
    const tools = (request.tools ?? []).flatMap((tool) => (tool.type === "function" ? [tool] : []));
    return {
      id: responseIdOf(head.callId),
      object: "response",
      created_at: head.created,
      error: null,
      incomplete_details: null,
      instructions: request.instructions ?? null,
      max_output_tokens: request.max_output_tokens ?? null,
      metadata: request.metadata ?? {},
      model: head.model,
      output: [...this.#output],
      parallel_tool_calls: request.parallel_tool_calls ?? true,
      previous_response_id: request.previous_response_id ?? null,
      reasoning: { effort: request.reasoning?.effort ?? null, summary: null },
      store: keep !== undefined,
      temperature: request.temperature ?? null,
      text: { format: request.text?.format ?? { type: "text" } },
      tool_choice: request.tool_choice ?? "auto",
      tools,
      top_p: request.top_p ?? null,
      truncation: "disabled",
      usage: null,
      ...state,
    };
  }
}

function itemOf({ type, id, text }: OpenItem, status: "in_progress" | "completed"): ResponseOutputItem {
  if (type === "reasoning") return { type, id, summary: text === "" ? [] : [{ type: "summary_text", text }] };
  return {
    type,
    id,
    status,
    role: "assistant",
    content: status === "in_progress" ? [] : [{ type: "output_text", text, annotations: [], logprobs: [] }],
  };
}

function partOf({ type, text }: OpenItem): NonNullable<ResponseStreamEvent["part"]> {
  return type === "message"
    ? { type: "output_text", text, annotations: [], logprobs: [] }
    : { type: "summary_text", text };
}

function incompleteReasonOf(
  reason: FinishReason,
): NonNullable<ResponseObject["incomplete_details"]>["reason"] | undefined {
  if (reason === "length") return "max_output_tokens";
  return reason === "content-filter" ? "content_filter" : undefined;
}

function usageOf({
  inputTokens,
  outputTokens,
  cacheReadTokens,
  cacheWriteTokens,
  reasoningTokens,
}: Usage): ResponseUsage | null {
  if (inputTokens === null || outputTokens === null) return null;
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cacheReadTokens ?? 0, cache_write_tokens: cacheWriteTokens ?? 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens ?? 0 },
    total_tokens: inputTokens + outputTokens,
  };
}
