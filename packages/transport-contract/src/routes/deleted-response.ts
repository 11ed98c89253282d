import { lazySchema } from "@incipit/schema";
import * as z from "zod";

/** What a route answers that deletes something. */
export const deletedResponseSchema = lazySchema(() => z.object({ deleted: z.literal(true) }));
