import type { FinishReason, PartMetadata, Usage, VendorResponse } from "@incipit/schema";

export type ReplyToolCall = {
  readonly type: "tool-call";
  readonly toolCallId: string;
  readonly name: string;
  /** JSON text as the model wrote it. */
  readonly input: string;
  readonly metadata?: PartMetadata;
};

export type ReplyFinish = {
  readonly type: "finish";
  readonly usage: Usage;
  readonly finishReason: FinishReason;
  readonly response?: VendorResponse;
  /** Which of the caller's stop sequences ended it. Absent: none, or the vendor does not say. */
  readonly stopSequence?: string;
};

/** What a model says before the end of its reply, whichever format it came in. */
export type ReplySaid =
  | { readonly type: "text-start" | "reasoning-start"; readonly partId: string }
  | { readonly type: "text-end" | "reasoning-end"; readonly partId: string; readonly metadata?: PartMetadata }
  | { readonly type: "text-delta" | "reasoning-delta"; readonly partId: string; readonly text: string }
  | { readonly type: "tool-call-start"; readonly toolCallId: string; readonly name: string }
  | ReplyToolCall;

/** Why a reply has no `finish`. */
export type ReplyProblem =
  /** It is over before its end. */
  | { readonly kind: "cut-off" }
  /** The vendor says that it could not go on, and no more. */
  | { readonly kind: "broken-off"; readonly reason: string }
  /** It cannot be read. */
  | { readonly kind: "unreadable"; readonly message: string }
  /** The vendor's own words, behind something that it had said: `error` is its event, or that with what the code means. */
  | { readonly kind: "error"; readonly error: unknown }
  /** The vendor's own words before it had said anything: as good as a refusal with a status. */
  | { readonly kind: "refused"; readonly status: number; readonly message: string; readonly error: unknown }
  /** Arguments of calls that are too long together, or too much that says nothing. */
  | { readonly kind: "too-large" };

/** What a reply gives; `finish`, or a problem, is the last. */
export type ReplyItem = ReplySaid | ReplyFinish | { readonly type: "problem"; readonly problem: ReplyProblem };
