import { lazySchema } from "@incipit/schema";
import * as z from "zod";

/** Answer of routes that delete something. */
export const deletedResponseSchema = lazySchema(() => z.object({ deleted: z.literal(true) }));
