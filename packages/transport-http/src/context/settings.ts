import * as z from "zod";

export const settingsSchema = z.strictObject({
  host: z.string(),
  /** 0: any free port. */
  port: z.int().min(0).max(65_535),
  /** Names in the `Host` header that are served beside the loopback ones. */
  allowedHosts: z.array(z.string()).default([]),
  token: z.string().min(16),
  version: z.string(),
});
export type Settings = z.infer<typeof settingsSchema>;
