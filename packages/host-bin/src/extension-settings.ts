import type { Capabilities, JsonValue } from "@incipit/kernel";
import type { Config } from "./config/config-schema.ts";
import { literalAddress } from "./drivers/literal-address.ts";
import { version } from "./version.ts";

export interface ExtensionSettingsOptions {
  readonly config: Config;
  readonly databasePath: string;
  readonly token: string;
  /** Working folder of conversations that name none. */
  readonly cwd: string;
}

/** What each built-in extension is configured with. */
export function extensionSettings({
  config,
  databasePath,
  token,
  cwd,
}: ExtensionSettingsOptions): ReadonlyMap<string, JsonValue> {
  const providers = Object.entries(config.providers);
  const profiles = Object.entries(config.profiles);
  const systemPrompt = config.system_prompt === undefined ? {} : { systemPrompt: config.system_prompt };
  return new Map<string, JsonValue>([
    ["storage-sqlite", { path: databasePath }],
    [
      "system-prompt",
      {
        ...systemPrompt,
        ...(config.append_system_prompt === undefined ? {} : { appendSystemPrompt: config.append_system_prompt }),
        profiles: Object.fromEntries(
          profiles.map(([name, profile]) => [
            name,
            profile.system_prompt === undefined ? {} : { systemPrompt: profile.system_prompt },
          ]),
        ),
      },
    ],
    [
      "session-orchestrator",
      {
        defaultModel: config.model,
        defaultCwd: cwd,
        promptRefresh: config.prompt_refresh,
        resume: config.resume,
        compaction: config.compaction,
        approvalTimeoutMs: config.approval_timeout_seconds * 1_000,
        profiles: Object.fromEntries(
          profiles.map(([name, profile]) => [name, profile.model === undefined ? {} : { model: profile.model }]),
        ),
      },
    ],
    [
      "provider-offline",
      {
        names: [
          ...new Set(["offline", ...providers.flatMap(([name, { kind }]) => (kind === "offline" ? [name] : []))]),
        ],
      },
    ],
    [
      "provider-openai",
      {
        providers: Object.fromEntries(
          providers.flatMap(
            ([name, { kind, base_url: baseUrl, api_key_env: apiKeyEnv, context_window: contextWindow }]) =>
              kind === "offline" || kind === "extension"
                ? []
                : [
                    [
                      name,
                      {
                        kind,
                        ...(baseUrl === undefined ? {} : { baseUrl }),
                        ...(apiKeyEnv === undefined ? {} : { apiKeyEnv }),
                        ...(contextWindow === undefined ? {} : { contextWindow }),
                      },
                    ],
                  ],
          ),
        ),
      },
    ],
    [
      "transport-http",
      {
        host: config.listen.host,
        port: config.listen.port,
        allowedHosts: [...config.listen.allowed_hosts, ...ownNames(config.listen.host)],
        token,
        version,
        defaultCwd: cwd,
        defaultModel: config.model,
        ...systemPrompt,
      },
    ],
  ]);
}

/** How clients name an address that the operator chose to listen on. */
function ownNames(host: string): readonly string[] {
  if (host === "0.0.0.0" || host === "::") return [];
  return [host.includes(":") ? `[${host}]` : host];
}

const vendorUrl = {
  openai: "https://api.openai.com/v1",
  deepseek: "https://api.deepseek.com",
  "openai-compatible": undefined,
  offline: undefined,
  extension: undefined,
} as const;
const vendorKey = {
  openai: "OPENAI_API_KEY",
  deepseek: "DEEPSEEK_API_KEY",
  "openai-compatible": undefined,
  offline: undefined,
  extension: undefined,
} as const;

/** Names of the variables that the configuration says hold keys. */
export function keyVariables(config: Config): readonly string[] {
  return Object.values(config.providers).flatMap(({ kind, api_key_env: named }) => named ?? vendorKey[kind] ?? []);
}

/** Grants that the configuration narrows: endpoints and variables that it names, files that it allows. */
export function extensionGrants(config: Config): ReadonlyMap<string, Capabilities> {
  const endpoints = Object.values(config.providers).flatMap(({ kind, base_url: baseUrl }) => {
    const url = baseUrl ?? vendorUrl[kind];
    if (url === undefined) return [];
    const { hostname, port, protocol } = new URL(url);
    const endpoint = `${hostname}:${port === "" ? (protocol === "https:" ? 443 : 80) : port}`;
    // A name that the operator wrote is meant, also where it leads into a home network. An address leads nowhere else.
    const isOwnName = baseUrl !== undefined && literalAddress(hostname) === undefined;
    return [isOwnName ? `private:${endpoint}` : endpoint];
  });
  return new Map<string, Capabilities>([
    ["system-prompt", { storage: true, fs: { read: config.prompt.read }, spawn: ["git"] }],
    ["provider-openai", { net: endpoints, env: keyVariables(config) }],
  ]);
}
