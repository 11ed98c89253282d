import type * as z from "zod";
import { singleLine } from "../text/hidden-characters.ts";
import { finishReasonSchema, type FinishReason } from "./finish-reason.ts";

/** Why a reply with text is not whole: `length`: its output limit; `content-filter`: its vendor refused it, or the rest of it. */
export const cutReasonSchema = finishReasonSchema.extract(["length", "content-filter"]);
export type CutReason = z.infer<typeof cutReasonSchema>;

const sentences: Readonly<Record<CutReason, string>> = {
  length:
    "The reply is cut off: it reached the model's output limit; ask it to go on, or raise max_output_tokens of the model",
  "content-filter":
    "The reply is not whole: the model's vendor refused it, or the rest of it; ask in other words, or choose another model",
};

/** @returns `undefined` for a reply that is whole. */
export function cutReasonOf(finishReason: FinishReason | undefined): CutReason | undefined {
  return finishReason === "length" || finishReason === "content-filter" ? finishReason : undefined;
}

/**
 * One sentence for a person, without a full stop: what is missing, why, and what to do. Every surface shows this one.
 * @param explanation The vendor's own words, in one line behind it.
 */
export function describeCut(reason: CutReason, explanation?: string): string {
  const said = explanation === undefined ? "" : singleLine(explanation).trim().replace(/[.;]$/, "");
  return said === "" ? sentences[reason] : `${sentences[reason]}; the vendor says: ${said}`;
}
