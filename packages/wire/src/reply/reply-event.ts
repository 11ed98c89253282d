import type { FinishReason, PartMetadata, Usage, VendorResponse } from "@incipit/schema";

export type ReplyToolCall = {
  readonly type: "tool-call";
  readonly toolCallId: string;
  readonly name: string;
  /** JSON as written by the model. */
  readonly input: string;
  readonly metadata?: PartMetadata;
};

export type ReplyFinish = {
  readonly type: "finish";
  readonly usage: Usage;
  readonly finishReason: FinishReason;
  readonly response?: VendorResponse;
  /** The caller's stop sequence, if reported. */
  readonly stopSequence?: string;
};

/** Output before the end of a reply, independent of the vendor's format. */
export type ReplyDelta =
  | { readonly type: "text-start" | "reasoning-start"; readonly partId: string }
  | { readonly type: "text-end" | "reasoning-end"; readonly partId: string; readonly metadata?: PartMetadata }
  | { readonly type: "text-delta" | "reasoning-delta"; readonly partId: string; readonly text: string }
  | { readonly type: "tool-call-start"; readonly toolCallId: string; readonly name: string }
  | ReplyToolCall;

export type ReplyProblem =
  | { readonly kind: "cut-off" }
  /** Aborted by the vendor without an explanation. */
  | { readonly kind: "broken-off"; readonly reason: string }
  | { readonly kind: "unreadable"; readonly message: string }
  /** An error after output: `error` is the event, or includes the meaning of its code. */
  | { readonly kind: "error"; readonly error: unknown }
  /** An error before output, equivalent to an error status. */
  | { readonly kind: "refused"; readonly status: number; readonly message: string; readonly error: unknown }
  /** Too long arguments of calls, or too many chunks without output. */
  | { readonly kind: "too-large" };

/** An item of a parsed reply; `finish` or a problem comes last. */
export type ReplyItem = ReplyDelta | ReplyFinish | { readonly type: "problem"; readonly problem: ReplyProblem };
