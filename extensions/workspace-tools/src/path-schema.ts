import * as z from "zod";

export const pathSchema = z
  .string()
  .min(1)
  .max(4_096)
  .describe("Relative to the working folder, or absolute inside it");
