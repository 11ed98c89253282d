import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

/** Format version. Newer versions are rejected. */
export const exportVersion = 1;

/**
 * A line of an exported conversation (JSON Lines, https://jsonlines.org): header, conversation, prompt data, tools,
 * records ordered by kind and key, and `end`. A file without `end` is truncated.
 */
export const exportLineSchema = lazySchema(() =>
  z.discriminatedUnion("type", [
    z.strictObject({
      type: z.literal("incipit-conversation"),
      /** Version of the format. */
      version: z.int().positive(),
    }),
    z.strictObject({
      type: z.literal("conversation"),
      /** Stored value as JSON. */
      value: z.unknown(),
    }),
    z.strictObject({
      type: z.literal("prompt"),
      /** Stored value as JSON. */
      value: z.unknown(),
    }),
    /** JSON of the epoch's tools, as sent. */
    z.strictObject({
      type: z.literal("tools"),
      /** Stored value as JSON. */
      value: z.string(),
    }),
    z.strictObject({
      type: z.literal("record"),
      /** Such as `message` or `event`. */
      kind: z.string(),
      /** Position within its kind. */
      key: z.string(),
      /** Stored value as JSON. */
      value: z.unknown(),
    }),
    z.strictObject({
      type: z.literal("end"),
      /** Number of records; an export without this line is incomplete. */
      records: z.int().nonnegative(),
    }),
  ]),
);
export type ExportLine = z.infer<typeof exportLineSchema>;
