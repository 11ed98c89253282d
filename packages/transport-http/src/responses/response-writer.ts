import type { FinishReason, Usage } from "@incipit/schema";
import type { ModelFailure } from "@incipit/service-contract";
import {
  openAiErrorOf,
  openAiErrorOfFailure,
  routes,
  type ResponseObject,
  type ResponseOutputItem,
  type ResponseStreamEvent,
  type ResponseUsage,
} from "@incipit/transport-contract";
import type { ReplyFinish, ReplyDelta } from "@incipit/wire";
import { answer } from "../answer/answer.ts";
import type { ReplyWriter } from "../calls/answer-call.ts";
import { itemIdOf } from "./response-ids.ts";

type EventFields = Omit<ResponseStreamEvent, "type" | "sequence_number">;
type Said = Extract<ReplyDelta, { type: "text-delta" | "reasoning-delta" }>;

interface OpenItem {
  readonly type: "message" | "reasoning";
  readonly id: string;
  readonly partId: string;
  text: string;
}

export interface ResponseWriterOptions {
  readonly base: ResponseObject;
  readonly keep?: ((response: ResponseObject) => Promise<void>) | undefined;
  /** Any number of times. */
  readonly drop?: (() => void) | undefined;
}

export type ResponseEnd =
  | Pick<ReplyFinish, "type" | "finishReason" | "usage">
  | { readonly type: "failure"; readonly code: string; readonly message: string }
  | { readonly type: "cancelled" };

/** https://platform.openai.com/docs/api-reference/responses-streaming */
export class ResponseWriter implements ReplyWriter<ResponseStreamEvent> {
  readonly #options: ResponseWriterOptions;
  readonly #output: ResponseOutputItem[] = [];
  #open: OpenItem | undefined;
  /** Events of the item that was open when the reply was stored. */
  readonly #left: ResponseStreamEvent[] = [];
  #count = 0;

  constructor(options: ResponseWriterOptions) {
    this.#options = options;
  }

  begin(): readonly ResponseStreamEvent[] {
    const response = this.#response({ status: "in_progress" });
    const queued = this.#response({ status: "queued" });
    const before = this.#options.base.background
      ? [
          this.#event("response.created", { response: queued }),
          this.#event("response.queued", { response: queued }),
        ]
      : [this.#event("response.created", { response })];
    return [...before, this.#event("response.in_progress", { response })];
  }

  get count(): number {
    return this.#count;
  }

  get soFar(): ResponseObject {
    const open = this.#open === undefined ? [] : [itemOf(this.#open, "in_progress", this.#open.text)];
    return this.#response({ status: "in_progress", output: [...this.#output, ...open] });
  }

  /** Ends the response. Unfinished items become `incomplete`. */
  conclude(end: ResponseEnd): ResponseObject {
    this.#left.push(...this.#close(end.type === "finish" ? "completed" : "incomplete"));
    switch (end.type) {
      case "finish":
        return this.#ended(end);
      case "failure":
        return this.#response({ status: "failed", error: { code: end.code, message: end.message } });
      case "cancelled":
        return this.#response({ status: "cancelled" });
    }
  }

  /** `conclude` may have been called in another writer of the same response. */
  last(response: ResponseObject): readonly ResponseStreamEvent[] {
    this.#left.push(...this.#close(isWhole(response) ? "completed" : "incomplete"));
    const type = isWhole(response) ? `response.${response.status}` : "response.failed";
    return [...this.#left.splice(0), this.#event(type, { response })];
  }

  take(said: ReplyDelta): readonly ResponseStreamEvent[] {
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
        return []; // An item starts with its content.
    }
  }

  async store(finish: ReplyFinish): Promise<void> {
    await this.#options.keep?.(this.conclude(finish));
  }

  drop(): void {
    this.#options.drop?.();
  }

  end(finish: ReplyFinish): readonly ResponseStreamEvent[] {
    return this.last(this.#ended(finish));
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
      const id = this.#itemId(kind, this.#output.length);
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
      item: itemOf(open, "in_progress", ""),
    });
    const kind = open.type === "message" ? "response.content_part.added" : "response.reasoning_summary_part.added";
    return [added, this.#event(kind, { ...this.#place(open), part: partOf(open) })];
  }

  #close(status: "completed" | "incomplete" = "completed"): readonly ResponseStreamEvent[] {
    const open = this.#open;
    if (open === undefined) return [];
    this.#open = undefined;
    const at = this.#place(open);
    const { text } = open;
    const item = itemOf(open, status, text);
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
  }: Extract<ReplyDelta, { type: "tool-call" }>): readonly ResponseStreamEvent[] {
    const output_index = this.#output.length;
    const id = this.#itemId("function_call", output_index);
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

  #itemId(type: ResponseOutputItem["type"], index: number): string {
    return itemIdOf(this.#options.base.id, type, index);
  }

  #ended({ finishReason, usage }: Pick<ReplyFinish, "finishReason" | "usage">): ResponseObject {
    const reason = incompleteReasonOf(finishReason);
    return this.#response({
      status: reason === undefined ? "completed" : "incomplete",
      incomplete_details: reason === undefined ? null : { reason },
      usage: usageOf(usage),
    });
  }

  #response(state: Pick<ResponseObject, "status"> & Partial<ResponseObject>): ResponseObject {
    return { ...this.#options.base, output: [...this.#output], ...state };
  }
}

/** The vendor has no event for a cancelled response, so it ends like a failed one. */
function isWhole({ status }: ResponseObject): boolean {
  return status === "completed" || status === "incomplete";
}

function itemOf(
  { type, id }: OpenItem,
  status: "in_progress" | "completed" | "incomplete",
  text: string,
): ResponseOutputItem {
  if (type === "reasoning") return { type, id, summary: text === "" ? [] : [{ type: "summary_text", text }] };
  return {
    type,
    id,
    status,
    role: "assistant",
    content: text === "" ? [] : [{ type: "output_text", text, annotations: [], logprobs: [] }],
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
