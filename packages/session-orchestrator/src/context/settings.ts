import * as z from "zod";

export const settingsSchema = z.strictObject({
  compaction: z
    .strictObject({
      /** Whether conversations are compacted by themselves. */
      auto: z.boolean().default(true),
      /** Share of the model's window that a conversation may fill before. */
      share: z.number().min(0.1).max(0.95).default(0.8),
    })
    .prefault({}),
  /** What is kept of model calls. */
  records: z
    .strictObject({
      /** Whether requests are recorded. */
      requests: z.boolean().default(true),
      /** Values that are left out wherever they stand. */
      secrets: z.array(z.string()).default([]),
      /** What else is left out: expressions in RE2's syntax. */
      redact: z.array(z.string()).default([]),
      /** How long requests are kept; 0: for ever. */
      keepDays: z.number().nonnegative().default(90),
      /** How much of all requests is kept, 1 being 1,000,000 bytes; 0: all. */
      keepMegabytes: z.number().nonnegative().default(4_096),
    })
    .prefault({}),
  /** What a start does with the turns that were queued when the host ended: they run, or wait for a person. */
  resume: z.enum(["run", "ask"]).default("run"),
  /** Whether those who are told what the host does get what was told and said, too. */
  observeContent: z.boolean().default(false),
  /** What tools of sources that are no part of the host may not be called. */
  reservedTools: z
    .strictObject({ names: z.array(z.string()).default([]), prefixes: z.array(z.string()).default([]) })
    .prefault({}),
  /** Model calls of one turn. */
  maxSteps: z.int().positive().default(50),
  /** Longest silence of a model's stream, and of a tool. */
  idleTimeoutMs: z.int().positive().default(300_000),
  /** Longest wait for the tools of one source. */
  toolSourceTimeoutMs: z.int().positive().default(60_000),
  /** Longest wait for an answer to whether a tool may run; then it may not. */
  approvalTimeoutMs: z.int().positive().default(600_000),
  /** Tries of one model call. */
  maxAttempts: z.int().positive().default(4),
});
/** What of them grows while the host runs. */
export const secretsSchema = z.object({
  records: z.object({ secrets: z.array(z.string()).default([]) }).prefault({}),
});

export type Settings = z.infer<typeof settingsSchema>;
