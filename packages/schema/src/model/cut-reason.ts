import type * as z from "zod";
import { singleLine } from "../text/hidden-characters.ts";
import { finishReasonSchema, type FinishReason } from "./finish-reason.ts";

/**
 * Why a reply with text is incomplete. `length`: output limit. `content-filter`: the vendor refused it in whole or
 * in part.
 */
export const cutReasonSchema = finishReasonSchema.extract(["length", "content-filter"]);
export type CutReason = z.infer<typeof cutReasonSchema>;

const sentences: Readonly<Record<CutReason, string>> = {
  length:
    "The reply is cut off: it reached the model's output limit; ask it to continue, or raise the model's max_output_tokens",
  "content-filter":
    "The reply is incomplete: the model's vendor blocked it or the rest; rephrase, or choose another model",
};

/** @returns `undefined` for a complete reply. */
export function cutReasonOf(finishReason: FinishReason | undefined): CutReason | undefined {
  return finishReason === "length" || finishReason === "content-filter" ? finishReason : undefined;
}

/**
 * Returns a sentence without a full stop: the problem, its cause, and what to do. All clients use this text.
 * @param explanation The vendor's explanation, appended on one line.
 */
export function describeCut(reason: CutReason, explanation?: string): string {
  const said = explanation === undefined ? "" : singleLine(explanation).trim().replace(/[.;]$/, "");
  return said === "" ? sentences[reason] : `${sentences[reason]}; vendor message: ${said}`;
}
