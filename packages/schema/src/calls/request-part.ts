import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

/** A part of a request as it was sent, in the order in which vendors key their caches. */
export const requestPartSchema = lazySchema(() =>
  z.object({
    kind: z.enum(["tool", "system", "settings", "message"]),
    /** A tool's name, or who says a message; `null`: it has none. */
    name: z.string().nullable(),
    /** Its JSON in the body, in bytes. */
    sizeBytes: z.int().nonnegative(),
    /** It has a picture or another file in it, whose tokens are not in proportion to its bytes. */
    hasFile: z.boolean(),
    /** How its text begins, in one line; empty: it has none. */
    beginning: z.string(),
  }),
);
export type RequestPart = z.infer<typeof requestPartSchema>;
