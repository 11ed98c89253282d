import * as z from "zod";
import { lazySchema } from "./lazy-schema.ts";

/** Query of paged lists. Lists of conversations are newest first, others oldest first. */
export const pageQuerySchema = lazySchema(() =>
  z.object({
    /** The previous page's `nextCursor`: the id of its last item, or a number of 12 digits. */
    cursor: z
      .string()
      .regex(/^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{12})$/, 'must be the "nextCursor" of the page before')
      .optional(),
    limit: z.coerce.number<number | string>().int().min(1).max(1_000).default(100),
  }),
);
export type PageQuery = z.infer<typeof pageQuerySchema>;
