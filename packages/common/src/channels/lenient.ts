import * as z from "zod";

/** Missing, null and mistyped values are absent, so that one field does not invalidate an event. */
export function lenient<Schema extends z.ZodType>(schema: Schema): z.ZodCatch<z.ZodOptional<Schema>> {
  return schema.optional().catch(undefined);
}

/** Accepts an array and drops its invalid items; any other value becomes an empty array. */
export function readableItems<Schema extends z.ZodType>(schema: Schema): z.ZodType<readonly z.infer<Schema>[]> {
  return z
    .array(z.unknown())
    .catch([])
    .transform((items) =>
      items.flatMap((item) => {
        const read = schema.safeParse(item);
        return read.success ? [read.data] : [];
      }),
    );
}
