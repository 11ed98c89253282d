import * as z from "zod";

/** Reads as absent what is missing, null or of another type: no part of an event takes the others with it. */
export function lenient<Schema extends z.ZodType>(schema: Schema): z.ZodCatch<z.ZodOptional<Schema>> {
  return schema.optional().catch(undefined);
}

/** Reads the items of a list that can be read; none where it is no list. */
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
