import { maxSegmentBytes, maxVariableBytes } from "@incipit/service-contract";
import * as z from "zod";

const templateSchema = z.string();

/** What the operator configured. Every text here is a template; white space only: no text. */
export const settingsSchema = z.strictObject({
  appendSystemPrompt: templateSchema.optional(),
  /** What becomes of text from a working folder that nobody trusts. */
  untrusted: z.enum(["allow", "ask", "blank"]).default("allow"),
  maxFileBytes: z.int().positive().default(1_048_576),
  maxTotalFileBytes: z.int().positive().default(4_194_304),
  fileTimeoutMs: z.int().positive().default(5_000),
  gitTimeoutMs: z.int().positive().default(5_000),
  /** For variables that extensions add. */
  variableTimeoutMs: z.int().positive().default(5_000),
  maxVariableBytes: z.int().positive().default(maxVariableBytes),
  maxTotalVariableBytes: z.int().positive().default(1_048_576),
  maxContributedVariables: z.int().positive().default(1_000),
  segmentTimeoutMs: z.int().positive().default(1_000),
  maxSegments: z.int().positive().default(100),
  maxSegmentBytes: z.int().positive().default(maxSegmentBytes),
  maxTotalSegmentBytes: z.int().positive().default(262_144),
});
