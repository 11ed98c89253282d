import * as z from "zod";

const maxNameLength = 1_000;

/** A name of a model or a profile as clients give it, which is kept, shown and repeated: one line. */
export const givenNameSchema = z
  .string()
  .max(maxNameLength)
  .regex(/^[^\p{Cc}\u2028\u2029]*$/u, "must be one line without control characters");
