import * as z from "zod";
import { oneLine } from "./one-line.ts";

const maxNameLength = 1_000;

/** A name of a model or a profile as clients give it, which is kept, shown and repeated: one line. */
export const givenNameSchema = z
  .string()
  .max(maxNameLength)
  .regex(...oneLine);
