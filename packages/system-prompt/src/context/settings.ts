import { maxSegmentBytes, maxVariableBytes } from "@incipit/service-contract";
import * as z from "zod";

const templateSchema = z.string();

/** What the operator configured. Every text here is a template; white space only: no text. */
export const settingsSchema = z.strictObject({
  systemPrompt: templateSchema.optional(),
  appendSystemPrompt: templateSchema.optional(),
  profiles: z
    .record(z.string(), z.object({ model: z.string().optional(), systemPrompt: templateSchema.optional() }))
    .default({}),
  /** When a conversation's prompt is built anew; the builder itself only tells what that costs. */
  promptRefresh: z.enum(["compaction", "turn"]).default("compaction"),
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
