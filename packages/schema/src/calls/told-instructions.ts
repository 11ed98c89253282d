import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

/**
 * How an agent that keeps a session of its own was told the system text.
 *
 * - `system-prompt`: in the `systemPrompt` field of the request that began, loaded or resumed its session.
 * - `meta`: likewise, in `_meta.systemPrompt`.
 * - `block`: as `<system-instructions>` before what the user says.
 */
export const toldInstructionsSchema = lazySchema(() =>
  z.object({
    by: z.enum(["system-prompt", "meta", "block"]),
    /** `now`: with this request. `before`: with an earlier one of the same session; nothing was said again. */
    told: z.enum(["now", "before"]),
  }),
);
export type ToldInstructions = z.infer<typeof toldInstructionsSchema>;
