import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

/** How tokens were counted: with the named encoding, or as bytes / 4, rounded up. */
const tokenMethodSchema = z.enum(["o200k_base", "estimate"]);
export const tokenCountSchema = lazySchema(() =>
  z.object({
    /** Number of tokens. */
    count: z.int().nonnegative(),
    method: tokenMethodSchema,
  }),
);
export type TokenCount = z.infer<typeof tokenCountSchema>;
