import * as z from "zod";

/** What went wrong, as it is kept and shown: a code to decide by, and a message to read. */
export const failureSchema = z.object({ code: z.string(), message: z.string() });
export type Failure = z.infer<typeof failureSchema>;
