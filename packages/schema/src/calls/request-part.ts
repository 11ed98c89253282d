import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

/** A part of a sent request, in the order of vendors' cache keys. */
export const requestPartSchema = lazySchema(() =>
  z.object({
    /** Kind of part. */
    kind: z.enum(["tool", "system", "settings", "message"]),
    /** Name of a tool, or role of a message. */
    name: z.string().nullable(),
    /** Size of its JSON in the body. */
    sizeBytes: z.int().nonnegative(),
    /** Contains a file, whose tokens are not proportional to its size. */
    hasFile: z.boolean(),
    /** Start of its text, on one line; may be empty. */
    beginning: z.string(),
  }),
);
export type RequestPart = z.infer<typeof requestPartSchema>;
