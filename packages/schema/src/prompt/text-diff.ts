import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

/** Lines count from 1. A side of which the hunk has no line begins where it would have them. */
const hunkSchema = lazySchema(() =>
  z.object({
    oldStart: z.int().nonnegative(),
    oldLines: z.int().nonnegative(),
    newStart: z.int().nonnegative(),
    newLines: z.int().nonnegative(),
    /** Without line ends; each begins with a space, `-` or `+`, or is `\ No newline at end of file`. */
    lines: z.array(z.string()),
  }),
);

/** What makes one text of another, by lines. */
export const textDiffSchema = lazySchema(() =>
  z.object({
    /** None: the texts are the same. */
    hunks: z.array(hunkSchema),
    /** The same as text, as `patch` takes it; empty when the texts are the same. */
    unified: z.string(),
    /** `false`: the texts differ in too much to look for the fewest lines; all between the first and the last differing line is one hunk. */
    isMinimal: z.boolean(),
  }),
);
export type TextDiff = z.infer<typeof textDiffSchema>;
