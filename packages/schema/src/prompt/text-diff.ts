import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

/** Lines count from 1. On a side without lines, a hunk starts where they would be. */
const hunkSchema = lazySchema(() =>
  z.object({
    /** First line in the old text, from 1. */
    oldStart: z.int().nonnegative(),
    /** Number of lines in the old text. */
    oldLines: z.int().nonnegative(),
    /** First line in the new text, from 1. */
    newStart: z.int().nonnegative(),
    /** Number of lines in the new text. */
    newLines: z.int().nonnegative(),
    /** Without line ends; each begins with a space, `-` or `+`, or is `\ No newline at end of file`. */
    lines: z.array(z.string()),
  }),
);

/** A line diff of two texts. */
export const textDiffSchema = lazySchema(() =>
  z.object({
    /** Empty if the texts are equal. */
    hunks: z.array(hunkSchema),
    /** The diff in unified format, for `patch`; empty if the texts are equal. */
    unified: z.string(),
    /**
     * `false`: the texts differ too much for a minimal diff; all lines between the first and last difference form
     * one hunk.
     */
    isMinimal: z.boolean(),
  }),
);
export type TextDiff = z.infer<typeof textDiffSchema>;
