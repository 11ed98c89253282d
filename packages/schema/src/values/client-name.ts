import * as z from "zod";
import { oneLine } from "./one-line.ts";

const maxNameLength = 1_000;

/** Name of a model or profile, from a client; one line, because it is stored and displayed. */
export const clientNameSchema = z
  .string()
  .max(maxNameLength)
  .regex(...oneLine);
