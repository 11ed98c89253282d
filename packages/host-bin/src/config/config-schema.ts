import * as z from "zod";

const nameSchema = z.string().regex(/^[A-Za-z0-9_-]+$/, "must be letters, digits, _ and -");

const providerSchema = z.strictObject({
  kind: z.enum(["openai", "openai-compatible", "deepseek", "offline"]),
  base_url: z.url({ protocol: /^https?$/ }).exactOptional(),
  api_key_env: z.string().min(1).exactOptional(),
});

const profileSchema = z.strictObject({
  model: z.string().exactOptional(),
  system_prompt: z.string().exactOptional(),
});

/** The configuration file. `config.example.toml` shows every key. */
export const configSchema = z.strictObject({
  model: z
    .string()
    .regex(/^[^/\s]+\/\S+$/, 'must be PROVIDER/MODEL, such as "offline/echo"')
    .default("offline/echo"),
  system_prompt: z.string().exactOptional(),
  append_system_prompt: z.string().exactOptional(),
  prompt_refresh: z.enum(["compaction", "turn"]).default("compaction"),
  listen: z
    .strictObject({
      host: z.string().min(1).default("127.0.0.1"),
      port: z.int().min(0).max(65_535).default(4140),
      allowed_hosts: z.array(z.string().min(1)).default([]),
    })
    .prefault({}),
  providers: z.record(nameSchema, providerSchema).default({}),
  profiles: z.record(nameSchema, profileSchema).default({}),
  prompt: z
    .strictObject({
      read: z
        .array(z.string().regex(/^(\/|\$cwd)/, 'must be an absolute path or begin with "$cwd"'))
        .default(["$cwd"]),
    })
    .prefault({}),
  extensions: z.strictObject({ disabled: z.array(z.string()).default([]) }).prefault({}),
});
export type Config = z.output<typeof configSchema>;

/** Keys that are known in the table at `path`; `undefined`: any name is. */
export function knownKeys(path: readonly PropertyKey[]): readonly string[] | undefined {
  const [table] = path;
  if (table === undefined) return Object.keys(configSchema.shape);
  if (table === "listen") return ["host", "port", "allowed_hosts"];
  if (table === "providers") return path.length === 1 ? undefined : Object.keys(providerSchema.shape);
  if (table === "profiles") return path.length === 1 ? undefined : Object.keys(profileSchema.shape);
  if (table === "prompt") return ["read"];
  return table === "extensions" ? ["disabled"] : undefined;
}
