import * as z from "zod";

const approvalSchema = z.enum(["allow", "ask", "deny"]);

const common = {
  /** For all of its tools; absent: a tool that says it only reads is allowed, the others are asked about. */
  approve: approvalSchema.exactOptional(),
  /** By the server's own names of them. */
  tools: z.record(z.string(), z.strictObject({ approve: approvalSchema })).default({}),
  startTimeoutMs: z.int().positive().default(30_000),
};

const stdioSchema = z.strictObject({
  kind: z.literal("stdio"),
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  /** Where it runs. Absolute; absent: where the others do. */
  cwd: z.string().exactOptional(),
  /** Names of variables that the server gets beside the few that every child gets. */
  env: z.array(z.string()).default([]),
  ...common,
});

const httpSchema = z.strictObject({
  kind: z.literal("http"),
  url: z.url({ protocol: /^https?$/ }),
  /** Name of the variable that holds a bearer token. */
  tokenEnv: z.string().exactOptional(),
  /** For each header the name of the variable that holds its value. */
  headersEnv: z.record(z.string(), z.string()).default({}),
  ...common,
});

const serverSettingsSchema = z.discriminatedUnion("kind", [stdioSchema, httpSchema]);

export const settingsSchema = z.strictObject({
  /** Working folder of the servers that are programs. Absolute. */
  cwd: z.string().default("/"),
  /** By the name that their tools begin with. */
  servers: z.record(z.string(), serverSettingsSchema).default({}),
});

export type ServerSettings = z.output<typeof serverSettingsSchema>;
