import * as z from "zod";
import { lazySchema } from "./lazy-schema.ts";

/** What went wrong, as it is kept and shown: a code to decide by, and a message to read. */
export const failureSchema = lazySchema(() => z.object({ code: z.string(), message: z.string() }));
export type Failure = z.infer<typeof failureSchema>;
