import * as z from "zod";

/** Why a prompt was constructed. `rebuild`: requested by a user. */
export const promptReasonSchema = z.enum(["first-turn", "compaction", "turn-refresh", "rebuild"]);
export type PromptReason = z.infer<typeof promptReasonSchema>;
