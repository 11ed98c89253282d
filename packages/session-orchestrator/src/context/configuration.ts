import { defineConfiguration, type ValuesOf } from "@incipit/kernel";
import { callToolName, grantsSchema, maxUsdPerDaySchema, searchToolName } from "@incipit/schema";
import * as z from "zod";

const waitRule = "must be a whole number of seconds from 1 to 604800 (a week)";
const shareRule = "must be a number from 0.1 to 0.95";
const daysRule = "must be a number of days; 0: for ever";
const megabytesRule = "must be a number of megabytes; 0: as many as there are";
const countRule = "must be a whole number from 1 on";
const sizeRule = "must be a whole number of bytes; 0: whatever can be is looked up";
const shownRule = "must be a whole number of tools; 0: whatever can be is looked up";
const msRule = "must be a whole number of milliseconds";

export const configuration = defineConfiguration({
  keys: () => ({
    /** Whether queued turns of the last run start automatically or after confirmation. */
    resume: z.enum(["run", "ask"]).default("run"),
    /** The call is then denied. */
    approval_timeout_seconds: z.int(waitRule).min(1, waitRule).max(604_800, waitRule).default(600),
    /** The tool then receives no answer. */
    question_timeout_seconds: z.int(waitRule).min(1, waitRule).max(604_800, waitRule).default(600),
  }),
  tables: () => ({
    approvals: {
      allow: grantsSchema.default([]),
    },
    compaction: {
      auto: z.boolean().default(true),
      share: z.number(shareRule).min(0.1, shareRule).max(0.95, shareRule).default(0.8),
    },
    records: {
      requests: z.boolean().default(true),
      keep_days: z.number(daysRule).min(0, daysRule).default(90),
      /** All recorded requests, in units of 1,000,000 bytes. */
      keep_megabytes: z.number(megabytesRule).min(0, megabytesRule).default(4_096),
    },
    /** MCP tools included in each request; the others are available through tool search. */
    tools: {
      /** Bytes of definitions, without tools that are always included. */
      shown_max_bytes: z.int(sizeRule).min(0, sizeRule).default(65_536),
      shown_max: z.int(shownRule).min(0, shownRule).default(128),
    },
    limits: {
      max_usd_per_conversation: maxUsdPerDaySchema.exactOptional(),
      /** By the calendar day of the machine's clock. */
      max_usd_per_day: maxUsdPerDaySchema.exactOptional(),
    },
    telemetry: {
      content: z.boolean().default(false),
    },
  }),
  settings: () => ({
    max_steps: z.int(countRule).min(1, countRule).default(50),
    max_attempts: z.int(countRule).min(1, countRule).default(4),
    /** Without output from a model stream or a tool. */
    idle_timeout_ms: z.int(msRule).min(1, msRule).default(300_000),
    tool_source_timeout_ms: z.int(msRule).min(1, msRule).default(60_000),
  }),
  reserves: () =>
    [searchToolName, callToolName].map((name) => ({ point: "tools@1", name, whose: "a tool of the host's own" })),
  facts: () => ({
    /** The host adds more while it runs. */
    secrets: z.array(z.string()).default([]),
    /** RE2 syntax. */
    redact: z.array(z.string()).default([]),
    /** Tool names that tool sources outside the host may not use. */
    reserved_tools: z
      .strictObject({ names: z.array(z.string()), prefixes: z.array(z.string()) })
      .default({ names: [], prefixes: [] }),
  }),
});

export const secretsSchema = z.object({ secrets: z.array(z.string()).default([]) });

interface SpendCaps {
  readonly maxUsdPerConversation: number | null;
  readonly maxUsdPerDay: number | null;
}

export interface Settings {
  readonly resume: "run" | "ask";
  readonly approvalTimeoutMs: number;
  readonly allow: readonly string[];
  readonly questionTimeoutMs: number;
  readonly compaction: { readonly auto: boolean; readonly share: number };
  readonly records: { readonly requests: boolean; readonly keepDays: number; readonly keepMegabytes: number };
  readonly observeContent: boolean;
  readonly limits: SpendCaps;
  readonly shownTools: { readonly maxBytes: number; readonly max: number };
  readonly reservedTools: { readonly names: readonly string[]; readonly prefixes: readonly string[] };
  readonly maxSteps: number;
  readonly maxAttempts: number;
  readonly idleTimeoutMs: number;
  readonly toolSourceTimeoutMs: number;
}

export function toSettings(values: ValuesOf<typeof configuration>): Settings {
  const { requests, keep_days: keepDays, keep_megabytes: keepMegabytes } = values.records;
  return {
    resume: values.resume,
    approvalTimeoutMs: values.approval_timeout_seconds * 1_000,
    allow: values.approvals.allow,
    questionTimeoutMs: values.question_timeout_seconds * 1_000,
    compaction: values.compaction,
    records: { requests, keepDays, keepMegabytes },
    shownTools: { maxBytes: values.tools.shown_max_bytes, max: values.tools.shown_max },
    observeContent: values.telemetry.content,
    limits: {
      maxUsdPerConversation: values.limits.max_usd_per_conversation ?? null,
      maxUsdPerDay: values.limits.max_usd_per_day ?? null,
    },
    reservedTools: values.reserved_tools,
    maxSteps: values.max_steps,
    maxAttempts: values.max_attempts,
    idleTimeoutMs: values.idle_timeout_ms,
    toolSourceTimeoutMs: values.tool_source_timeout_ms,
  };
}
