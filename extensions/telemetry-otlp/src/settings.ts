import * as z from "zod";

export const settingsSchema = z.strictObject({
  /** Where `/v1/traces` and `/v1/metrics` are put behind; absent: nothing is told to anybody. */
  url: z.url().optional(),
  /** Headers of each export, and the variables that hold their values. */
  headersEnv: z.record(z.string(), z.string()).default({}),
  serviceName: z.string().min(1).default("incipit"),
  version: z.string().default("unknown"),
  /** Longest wait until spans are sent, and between two exports of the metrics. */
  traceIntervalMs: z.int().positive().default(5_000),
  metricIntervalMs: z.int().positive().default(60_000),
  /** Longest time for one export with all of its tries, and for the last one when the host stops. */
  timeoutMs: z.int().positive().default(10_000),
});
export type Settings = z.infer<typeof settingsSchema>;
