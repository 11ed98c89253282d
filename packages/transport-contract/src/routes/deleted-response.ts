import * as z from "zod";

/** What a route answers that deletes something. */
export const deletedResponseSchema = z.object({ deleted: z.literal(true) });
