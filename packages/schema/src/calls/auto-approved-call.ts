import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

/** A tool call that ran without approval although the tool requires it. */
export const unaskedCallSchema = lazySchema(() =>
  z.object({
    toolCallId: z.string(),
    name: z.string(),
    /** The matching grant and its origin, such as `shell(git status:*) of the turn`. */
    allowedBy: z.string(),
  }),
);
export type UnaskedCall = z.infer<typeof unaskedCallSchema>;
