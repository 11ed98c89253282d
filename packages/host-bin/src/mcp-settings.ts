import type { JsonValue } from "@incipit/kernel";
import type { Config } from "./config/config-schema.ts";
import { netEntry } from "./net-entry.ts";

/** What `mcp-tools` is configured with. */
export function mcpSettings({ mcp }: Config, cwd: string): JsonValue {
  const servers = Object.entries(mcp.servers).map(([name, server]) => {
    const { command, args = [], env = [], url, token_env: tokenEnv, headers_env: headersEnv = {} } = server;
    const { approve, tools, start_timeout_seconds: startTimeoutSeconds } = server;
    const common = {
      tools,
      startTimeoutMs: startTimeoutSeconds * 1_000,
      ...(approve === undefined ? {} : { approve }),
    };
    if (command !== undefined) return [name, { kind: "stdio", command, args, env, ...common }] as const;
    const token = tokenEnv === undefined ? {} : { tokenEnv };
    return [name, { kind: "http", url: url ?? "", headersEnv, ...token, ...common }] as const;
  });
  return { cwd, servers: Object.fromEntries(servers) };
}

/** Variables that servers are given, in their environment or in headers. */
export function mcpVariables({ mcp }: Config): readonly string[] {
  return Object.values(mcp.servers).flatMap(({ env = [], token_env: token, headers_env: headers = {} }) => [
    ...env,
    ...(token === undefined ? [] : [token]),
    ...Object.values(headers),
  ]);
}

/** Programs that servers are. */
export function mcpPrograms({ mcp }: Config): readonly string[] {
  return Object.values(mcp.servers).flatMap(({ command }) => command ?? []);
}

/** Hosts that servers are at. */
export function mcpEndpoints({ mcp }: Config): readonly string[] {
  return Object.values(mcp.servers).flatMap(({ url }) =>
    url === undefined ? [] : [netEntry(url, { isOperators: true })],
  );
}
