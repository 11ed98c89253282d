import type { Capabilities, JsonValue } from "@incipit/kernel";
import type { Config } from "./config/config-schema.ts";
import { isLoopback } from "@incipit/host/addresses";
import { mcpEndpoints, mcpPrograms, mcpSettings, mcpVariables } from "./mcp-settings.ts";
import { endpointGrants, endpointSettings, keyVariables } from "./provider-settings.ts";
import { reservedTools } from "./reserved-names.ts";
import { telemetryEndpoints, telemetrySettings, telemetryVariables } from "./telemetry-settings.ts";
import { version } from "./version.ts";

export interface ExtensionSettingsOptions {
  readonly config: Config;
  readonly databasePath: string;
  readonly token: string;
  /** Values that are left out of what is recorded. */
  readonly secrets: readonly string[];
  /** Working folder of conversations that name none. */
  readonly cwd: string;
}

/** What each built-in extension is configured with. */
export function extensionSettings({
  config,
  databasePath,
  token,
  secrets,
  cwd,
}: ExtensionSettingsOptions): ReadonlyMap<string, JsonValue> {
  const providers = Object.entries(config.providers);
  return new Map<string, JsonValue>([
    ["storage-sqlite", { path: databasePath }],
    [
      "system-prompt",
      {
        ...(config.append_system_prompt === undefined ? {} : { appendSystemPrompt: config.append_system_prompt }),
        untrusted: config.prompt.untrusted,
      },
    ],
    [
      "session-orchestrator",
      {
        resume: config.resume,
        compaction: config.compaction,
        observeContent: config.telemetry.content,
        reservedTools: reservedTools(config),
        records: {
          requests: config.records.requests,
          keepDays: config.records.keep_days,
          keepMegabytes: config.records.keep_megabytes,
          redact: config.records.redact,
          secrets: [...secrets],
        },
        approvalTimeoutMs: config.approval_timeout_seconds * 1_000,
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
    ...endpointSettings(config),
    ["mcp-tools", mcpSettings(config, cwd)],
    ["telemetry-otlp", telemetrySettings(config)],
    [
      "transport-http",
      {
        host: config.listen.host,
        port: config.listen.port,
        allowedHosts: [...config.listen.allowed_hosts, ...ownNames(config.listen.host)],
        token,
        version,
      },
    ],
  ]);
}

/** How clients name an address that the operator chose to listen on; those of this machine are known, with the port. */
function ownNames(host: string): readonly string[] {
  if (host === "0.0.0.0" || host === "::" || isLoopback(host)) return [];
  return [host.includes(":") ? `[${host}]` : host];
}

/** Names of variables that the configuration says may hold secrets: none of their values may be in a log. */
export function secretVariables(config: Config): readonly string[] {
  return [...keyVariables(config), ...mcpVariables(config), ...telemetryVariables(config)];
}

/** Where the configuration has requests go. */
export function addressesOf({ providers, mcp, telemetry }: Config): readonly string[] {
  const all = [...Object.values(providers).map((provider) => provider.base_url), telemetry.otlp_url];
  return [...all, ...Object.values(mcp.servers).map(({ url }) => url)].filter((url) => url !== undefined);
}

/** Grants that the configuration narrows: endpoints and variables that it names, files that it allows. */
export function extensionGrants(config: Config): ReadonlyMap<string, Capabilities> {
  return new Map<string, Capabilities>([
    ["system-prompt", { storage: true, fs: { read: config.prompt.read }, spawn: ["git"] }],
    ...endpointGrants(config),
    ["telemetry-otlp", { net: telemetryEndpoints(config), env: telemetryVariables(config) }],
    ["mcp-tools", { spawn: mcpPrograms(config), net: mcpEndpoints(config), env: mcpVariables(config) }],
  ]);
}
