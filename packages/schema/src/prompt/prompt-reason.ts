import * as z from "zod";

/** Why a prompt was constructed. `rebuild`: a person asked for it. */
export const promptReasonSchema = z.enum(["first-turn", "compaction", "turn-refresh", "rebuild"]);
export type PromptReason = z.infer<typeof promptReasonSchema>;
