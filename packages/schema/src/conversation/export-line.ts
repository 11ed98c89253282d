import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

/** The version of the format; a newer one is refused. */
export const exportVersion = 1;

/**
 * One line of an exported conversation (JSON Lines, https://jsonlines.org): the opening line, the conversation, what the
 * prompt builder keeps of it, its tools, its records in the order of their kinds and keys, and `end`. Without `end` the
 * file was cut off.
 */
export const exportLineSchema = lazySchema(() =>
  z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("incipit-conversation"), version: z.int().positive() }),
    z.strictObject({ type: z.literal("conversation"), value: z.unknown() }),
    z.strictObject({ type: z.literal("prompt"), value: z.unknown() }),
    /** JSON text of the tools of the epoch, as it is sent. */
    z.strictObject({ type: z.literal("tools"), value: z.string() }),
    z.strictObject({
      type: z.literal("record"),
      /** Such as `message` or `event`. */
      kind: z.string(),
      /** Its place among those of its kind. */
      key: z.string(),
      value: z.unknown(),
    }),
    /** How many records there are. */
    z.strictObject({ type: z.literal("end"), records: z.int().nonnegative() }),
  ]),
);
export type ExportLine = z.infer<typeof exportLineSchema>;
