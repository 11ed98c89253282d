import type { Host } from "@incipit/kernel";
import { offeredServerName, type OfferedToolServer } from "@incipit/schema";
import type { ToolServer } from "@incipit/service-contract";
import { McpServer } from "./mcp-server.ts";
import type { ServerSettings } from "./settings.ts";

/** Same as the default of configured servers. */
const startTimeoutMs = 30_000;

const headerRemedy = "the client that offers it must send the headers it requires";

export interface OfferedServer {
  readonly name: string;
  readonly server: McpServer | undefined;
  readonly state: () => ToolServer;
}

export interface OfferedServerOptions {
  readonly host: Pick<Host, "spawn" | "net" | "log" | "clock" | "waitUntil">;
  readonly configured: ReadonlySet<string>;
  readonly onChange: () => void;
}

/** Creates a server from a client's offer; its variables and headers are never displayed. */
export function offeredServer(
  given: OfferedToolServer,
  { host, configured, onChange }: OfferedServerOptions,
): OfferedServer {
  const name = offeredServerName(given.name) ?? given.name;
  const target = targetOf(given);
  const problem = problemOf(given, configured.has(name));
  if (problem !== undefined) {
    const state: ToolServer = {
      name,
      target,
      state: "failed",
      error: problem,
      tools: null,
      problems: [],
      instructions: null,
    };
    return { name, server: undefined, state: () => state };
  }
  const values = new Map(Object.entries(given.kind === "http" ? given.headers : given.env));
  const env = { get: (variable: string) => values.get(variable) };
  const settings = settingsOf(given);
  // Many servers accept their key in the query.
  const secrets = given.kind === "http" ? [...new URL(given.url).searchParams.values()] : [];
  const server = new McpServer({
    name,
    settings,
    host: { ...powersOf(host), env },
    secrets,
    isClients: true,
    onChange,
  });
  return { name, server, state: () => ({ ...server.state(), target }) };
}

function powersOf({
  spawn,
  net,
  log,
  clock,
  waitUntil,
}: OfferedServerOptions["host"]): OfferedServerOptions["host"] {
  return { spawn, net, log, clock, waitUntil };
}

function settingsOf(given: OfferedToolServer): ServerSettings {
  const common = { tools: {}, startTimeoutMs, hasInstructions: true };
  if (given.kind === "http") {
    const headersEnv = Object.fromEntries(Object.keys(given.headers).map((name) => [name, name]));
    return { kind: "http", url: given.url, headersEnv, remedy: headerRemedy, ...common };
  }
  const { command, args, env } = given;
  // As for configured servers, a neutral folder: runners would execute code found in the working folder.
  return {
    kind: "stdio",
    command,
    args,
    cwd: "/",
    isPerFolder: false,
    hasRoots: false,
    env: Object.keys(env),
    ...common,
  };
}

/** Returns the program or URL for display, without arguments and query, which may contain secrets. */
function targetOf(given: OfferedToolServer): string {
  if (given.kind === "stdio") return given.command;
  const { origin, pathname } = new URL(given.url);
  return `${origin}${pathname}`;
}

function problemOf(given: OfferedToolServer, isConfigured: boolean): string | undefined {
  if (isConfigured) return "was rejected: a configured server has this name; choose another";
  const loose = given.kind === "stdio" && given.args.some((word) => /^\.\.?(\/|$)/.test(word));
  return loose
    ? 'was rejected: an argument begins with "./" or "../", but the program does not run in the working folder; pass an absolute path'
    : undefined;
}
