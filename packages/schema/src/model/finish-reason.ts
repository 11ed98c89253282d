import * as z from "zod";

/** Why a reply of a model ended. */
export const finishReasonSchema = z.enum(["stop", "length", "tool-calls", "content-filter", "error", "other"]);
export type FinishReason = z.infer<typeof finishReasonSchema>;
