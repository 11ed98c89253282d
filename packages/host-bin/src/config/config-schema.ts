import * as z from "zod";

const nameSchema = z.string().regex(/^[A-Za-z0-9_-]+$/, "must be letters, digits, _ and -");
const modelSchema = z.string().regex(/^[^/\s]+\/\S+$/, 'must be PROVIDER/MODEL, such as "offline/echo"');

const baseUrlRule =
  'must be an http or https URL with its version and without a key, such as "http://127.0.0.1:11434/v1"';
const proxyRule =
  'must be "none", "env:NAME" (the variable that holds its URL), or an http or https URL without a name and a password, such as "http://proxy.acme.dev:3128"';
const waitRule = "must be a whole number of seconds from 1 to 604800 (a week)";
const windowRule = "must be a whole number of tokens";
const priceRule = "must be US dollars for a million tokens";
const shareRule = "must be a number from 0.1 to 0.95";
const daysRule = "must be a number of days; 0: for ever";
const megabytesRule = "must be a number of megabytes; 0: as many as there are";
const portRule = "must be a whole number from 0 to 65535";

/** A proxy's password is a secret: it stays in a variable. */
const proxySchema = z.string().refine((text) => {
  if (text === "none" || /^env:[A-Za-z_][A-Za-z0-9_]*$/.test(text)) return true;
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { username, password, pathname, search, hash } = new URL(text);
  return username === "" && password === "" && pathname === "/" && search === "" && hash === "";
}, proxyRule);

const priceSchema = z.number(priceRule).min(0, priceRule);
const tokensSchema = z.int(windowRule).min(1, windowRule);

/** What the operator knows of one model; it wins over the catalogue. */
const providerModelSchema = z.strictObject({
  context_window: tokensSchema.exactOptional(),
  max_output_tokens: tokensSchema.exactOptional(),
  prices: z
    .strictObject({
      input: priceSchema,
      output: priceSchema,
      cache_read: priceSchema.exactOptional(),
      cache_write: priceSchema.exactOptional(),
    })
    .exactOptional(),
});

const providerSchema = z.strictObject({
  /** `extension`: an added extension brings it. */
  kind: z.enum(["openai", "openai-compatible", "deepseek", "anthropic", "google", "offline", "extension"]),
  api: z.enum(["responses", "chat"]).exactOptional(),
  cache_ttl: z.enum(["5m", "1h"]).exactOptional(),
  base_url: z
    .url({ protocol: /^https?$/, error: baseUrlRule })
    .refine(
      (url) => !URL.canParse(url) || (new URL(url).username === "" && new URL(url).password === ""),
      baseUrlRule,
    )
    .exactOptional(),
  // Capitals only, so that a key that was written here by mistake is refused, and not shown as a name.
  api_key_env: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]*$/, "must be the name of a variable in capitals, never the key itself")
    .exactOptional(),
  /** Over which its requests go, in the place of `[network]`'s and the environment's. */
  proxy: proxySchema.exactOptional(),
  context_window: tokensSchema.exactOptional(),
  /** By the name behind the slash. */
  models: z
    .record(z.string().regex(/^\S+$/, "must be the name behind the slash"), providerModelSchema)
    .exactOptional(),
});
export type ProviderConfig = z.output<typeof providerSchema>;

// Capitals only, so that a secret that was written here by mistake is refused, and not shown as a name.
const variableSchema = z
  .string()
  .regex(/^[A-Z_][A-Z0-9_]*$/, "must be the name of a variable in capitals, never its value");
const headersEnvSchema = z.record(
  z.string().regex(/^[A-Za-z0-9-]+$/, "must be the name of a header"),
  variableSchema,
);
const collectorUrlRule =
  'must be an http or https URL without a name and a password, such as "http://127.0.0.1:4318"';
const approvalSchema = z.enum(["allow", "ask", "deny"]);
const startRule = "must be a whole number of seconds from 1 to 600";
const folderRule = 'must be an absolute path, "$cwd" or a path below "$cwd/"';
const commandRule = "must be a program, looked for in PATH, or an absolute path";
const serverUrlRule =
  'must be an http or https URL without a name and a password, such as "https://mcp.acme.dev/mcp"';

const mcpServerSchema = z.strictObject({
  command: z
    .string()
    .regex(/^(\/.+|[^/]+)$/, commandRule)
    .exactOptional(),
  args: z.array(z.string()).exactOptional(),
  /** Absent: nowhere in particular, as a program that is run in a stranger's folder may run what it holds. */
  cwd: z
    .string()
    .regex(/^(\/|\$cwd(\/|$))/, folderRule)
    .exactOptional(),
  /** Names: what stands in this file is no secret. */
  env: z.array(variableSchema).exactOptional(),
  url: z
    .url({ protocol: /^https?$/, error: serverUrlRule })
    .refine(
      (url) => !URL.canParse(url) || (new URL(url).username === "" && new URL(url).password === ""),
      serverUrlRule,
    )
    .exactOptional(),
  token_env: variableSchema.exactOptional(),
  headers_env: headersEnvSchema.exactOptional(),
  proxy: proxySchema.exactOptional(),
  approve: approvalSchema.exactOptional(),
  start_timeout_seconds: z.int(startRule).min(1, startRule).max(600, startRule).default(30),
  tools: z.record(z.string(), z.strictObject({ approve: approvalSchema })).default({}),
});

/** So that `SERVER__TOOL` can be told apart again, and leaves room for the tool. */
const serverNameSchema = z
  .string()
  .regex(
    /^(?!.*__)[A-Za-z0-9_-]{0,31}[A-Za-z0-9-]$/,
    'must be at most 32 letters, digits, _ and -, without "__" and not with "_" at its end',
  );

const profileSchema = z.strictObject({
  model: modelSchema.exactOptional(),
  system_prompt: z.string().exactOptional(),
});

/** The configuration file. `config.example.toml` shows every key. */
export const configSchema = z.strictObject({
  model: modelSchema.default("offline/echo"),
  system_prompt: z.string().exactOptional(),
  append_system_prompt: z.string().exactOptional(),
  prompt_refresh: z.enum(["compaction", "turn"]).default("compaction"),
  resume: z.enum(["run", "ask"]).default("run"),
  approval_timeout_seconds: z.int(waitRule).min(1, waitRule).max(604_800, waitRule).default(600),
  compaction: z
    .strictObject({
      auto: z.boolean().default(true),
      share: z.number(shareRule).min(0.1, shareRule).max(0.95, shareRule).default(0.8),
    })
    .prefault({}),
  /** What is kept of model calls. */
  records: z
    .strictObject({
      requests: z.boolean().default(true),
      keep_days: z.number(daysRule).min(0, daysRule).default(90),
      keep_megabytes: z.number(megabytesRule).min(0, megabytesRule).default(4_096),
      redact: z.array(z.string()).default([]),
    })
    .prefault({}),
  listen: z
    .strictObject({
      host: z.string().min(1, 'must be an address, such as "127.0.0.1"').default("127.0.0.1"),
      port: z.int(portRule).min(0, portRule).max(65_535, portRule).default(4140),
      allowed_hosts: z
        .array(z.string().regex(/^[^\s/]+$/, 'must be a name without scheme, such as "incipit.example"'))
        .default([]),
    })
    .prefault({}),
  /** In the place of the proxy variables of the environment. */
  network: z
    .strictObject({
      proxy: proxySchema.exactOptional(),
      no_proxy: z.array(z.string()).exactOptional(),
    })
    .prefault({}),
  providers: z.record(nameSchema, providerSchema).default({}),
  profiles: z.record(nameSchema, profileSchema).default({}),
  prompt: z
    .strictObject({
      read: z.array(z.string().regex(/^(\/|\$cwd(\/|$))/, folderRule)).default(["$cwd"]),
      untrusted: z.enum(["allow", "ask", "blank"]).default("allow"),
    })
    .prefault({}),
  /** Servers of tools, by the name that their tools begin with. */
  mcp: z.strictObject({ servers: z.record(serverNameSchema, mcpServerSchema).default({}) }).prefault({}),
  /** A collector of OpenTelemetry's, which is told what the host does. */
  telemetry: z
    .strictObject({
      otlp_url: z
        .url({ protocol: /^https?$/, error: collectorUrlRule })
        .refine(
          (url) => !URL.canParse(url) || (new URL(url).username === "" && new URL(url).password === ""),
          collectorUrlRule,
        )
        .exactOptional(),
      headers_env: headersEnvSchema.default({}),
      proxy: proxySchema.exactOptional(),
      service_name: z.string().min(1, "must be a name").default("incipit"),
      content: z.boolean().default(false),
    })
    .prefault({}),
  /** Built-in tools that models get. */
  tools: z
    .strictObject({
      workspace: z.boolean().default(false),
      /** Whether programs that tools and MCP servers are, and start, are kept from the host's data and processes. */
      confine: z.boolean().default(true),
    })
    .prefault({}),
  extensions: z
    .strictObject({
      paths: z.array(z.string().min(1, "must be the path of a folder")).default([]),
      disabled: z.array(z.string()).default([]),
      /** For each id what it is configured with; it checks that itself. */
      settings: z.record(z.string(), z.record(z.string(), z.json())).default({}),
    })
    .prefault({}),
});
export type Config = z.output<typeof configSchema>;

/** Keys that are known in the table at `path`; `undefined`: it is no table, or takes any name. */
export function knownKeys(path: readonly PropertyKey[]): readonly string[] | undefined {
  let schema: z.core.$ZodType = configSchema;
  for (const key of path) {
    const table = withoutDefault(schema);
    const inner: z.core.$ZodType | undefined =
      table instanceof z.ZodObject
        ? new Map(Object.entries<z.core.$ZodType>(table.shape)).get(String(key))
        : table instanceof z.ZodRecord
          ? table.valueType
          : undefined;
    if (inner === undefined) return undefined;
    schema = inner;
  }
  const table = withoutDefault(schema);
  return table instanceof z.ZodObject ? Object.keys(table.shape) : undefined;
}

function withoutDefault(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodExactOptional
    ? schema.unwrap()
    : schema;
}
