import * as z from "zod";

/** Why a template variable has no value. */
export const absentReasonSchema = z.enum([
  "not-found",
  "not-a-repository",
  "not-installed",
  "not-set",
  "denied",
  "too-large",
  "too-many",
  "not-a-file",
  "not-text",
  "timeout",
  "failed",
  "unknown-type",
  "not-trusted",
]);
export type AbsentReason = z.infer<typeof absentReasonSchema>;
