import * as z from "zod";

/** Why a model's reply ended. */
export const finishReasonSchema = z.enum(["stop", "length", "tool-calls", "content-filter", "error", "other"]);
export type FinishReason = z.infer<typeof finishReasonSchema>;
