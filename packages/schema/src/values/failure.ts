import * as z from "zod";
import { lazySchema } from "./lazy-schema.ts";

/** An error as stored and shown: a code for programs and a message for users. */
export const failureSchema = lazySchema(() =>
  z.object({
    /** Code for programs. */
    code: z.string(),
    message: z.string(),
  }),
);
export type Failure = z.infer<typeof failureSchema>;
