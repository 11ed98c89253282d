import type { JsonValue } from "@incipit/kernel";
import type { Config } from "./config/config-schema.ts";
import { netEntry } from "./net-entry.ts";

/** What `mcp-tools` is configured with. @param cwd The host's working folder; absolute. */
export function mcpSettings({ mcp }: Config, cwd: string): JsonValue {
  const servers = Object.entries(mcp.servers).map(([name, server]) => {
    const { command, args = [], env = [], url, token_env: tokenEnv, headers_env: headersEnv = {} } = server;
    const { approve, tools, start_timeout_seconds: startTimeoutSeconds } = server;
    const common = {
      tools,
      startTimeoutMs: startTimeoutSeconds * 1_000,
      ...(approve === undefined ? {} : { approve }),
    };
    if (command !== undefined) {
      const words = args.map((word) => inFolder(word, cwd));
      const place = server.cwd === undefined ? {} : { cwd: inFolder(server.cwd, cwd) };
      return [name, { kind: "stdio", command, args: words, env, ...place, ...common }] as const;
    }
    const token = tokenEnv === undefined ? {} : { tokenEnv };
    return [name, { kind: "http", url: url ?? "", headersEnv, ...token, ...common }] as const;
  });
  // Where nobody but the machine's owner has put anything: a runner such as npx looks into its working folder for code.
  return { cwd: "/", servers: Object.fromEntries(servers) };
}

/** What begins with `$cwd` names the host's working folder. */
function inFolder(text: string, cwd: string): string {
  return text === "$cwd" || text.startsWith("$cwd/") ? cwd + text.slice("$cwd".length) : text;
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
