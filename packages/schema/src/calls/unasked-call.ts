import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

/** A call of a tool that needs approval, and ran without a question. */
export const unaskedCallSchema = lazySchema(() =>
  z.object({
    toolCallId: z.string(),
    /** Name of the tool. */
    name: z.string(),
    /** The grant, and whose it is, such as `shell(git status:*) of the turn`. */
    allowedBy: z.string(),
  }),
);
export type UnaskedCall = z.infer<typeof unaskedCallSchema>;
