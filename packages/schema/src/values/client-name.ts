import * as z from "zod";
import { oneLine } from "./one-line.ts";

const maxNameLength = 1_000;

/** A model or profile name supplied by a client; one line, because it is stored and displayed. */
export const clientNameSchema = z
  .string()
  .max(maxNameLength)
  .regex(...oneLine);
