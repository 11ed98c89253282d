import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

/**
 * How system messages reached an agent that keeps its own session.
 *
 * - `system-prompt`: `systemPrompt` field of the request that started, loaded or resumed the session.
 * - `meta`: likewise, `_meta.systemPrompt`.
 * - `block`: as `<system-instructions>` before the user message.
 */
export const toldInstructionsSchema = lazySchema(() =>
  z.object({
    /** `system-prompt`: in a field of the session. `meta`: in its `_meta`. `block`: as text before the message. */
    by: z.enum(["system-prompt", "meta", "block"]),
    /** `now`: with this request. `before`: with an earlier request of the session; not repeated. */
    told: z.enum(["now", "before"]),
  }),
);
export type ToldInstructions = z.infer<typeof toldInstructionsSchema>;
