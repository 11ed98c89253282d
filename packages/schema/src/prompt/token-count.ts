import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

/** How a count of tokens came about: by the encoding of that name, or as bytes / 4, rounded up. */
const tokenMethodSchema = z.enum(["o200k_base", "estimate"]);
export const tokenCountSchema = lazySchema(() =>
  z.object({ count: z.int().nonnegative(), method: tokenMethodSchema }),
);
export type TokenCount = z.infer<typeof tokenCountSchema>;
