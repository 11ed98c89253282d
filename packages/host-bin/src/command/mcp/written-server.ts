import type { Table } from "@incipit/host/configuration";
import { homedir } from "node:os";
import type { ForeignServer } from "./foreign-servers.ts";

export interface WrittenServer {
  readonly table: Table;
  /** Steps left to the user: sentences without a full stop and without secret values. */
  readonly todo: readonly string[];
}

/** Matches a value that refers to a variable: `${NAME}`, `$NAME` or `${env:NAME}`. */
const reference = /^\$(?:\{(?:env:)?([A-Za-z_]\w*)\}|([A-Za-z_]\w*))$/;

/**
 * Converts a server of another program to a table of this host. Secret values become names of variables.
 * @throws {Error} for a server that this host's configuration cannot express. The message is the predicate of a
 *   sentence about the server, such as `has neither a program nor a URL`.
 */
export function writtenServer(name: string, server: ForeignServer): WrittenServer {
  const url = server.url ?? server.httpUrl ?? server.serverUrl;
  const program = typeof server.command === "string" ? [server.command] : (server.command ?? []);
  const [command, ...first] = program;
  if (command === undefined && url === undefined) throw new Error("has neither a program nor a URL");
  if (command === undefined) return remote(name, filled(url ?? "", "its URL"), server);
  const env = Object.entries(server.env ?? server.environment ?? {});
  const args = [...first, ...(server.args ?? [])].map((word) => filled(word, "its arguments"));
  return {
    table: {
      command: filled(command, "its program"),
      ...(args.length === 0 ? {} : { args }),
      ...(server.cwd === undefined ? {} : { cwd: filled(server.cwd, "its folder") }),
      ...(env.length === 0 ? {} : { env: env.map(([key]) => key) }),
    },
    todo: env.flatMap(([key, value]) => {
      const named = referenceIn(value);
      if (named === key) return [];
      const what = named === undefined ? "the value that it has there" : `what ${named} has`;
      return [`set ${key} in the environment of the host to ${what}`];
    }),
  };
}

function remote(name: string, url: string, server: ForeignServer): WrittenServer {
  const todo: string[] = [];
  const headers: Record<string, string> = {};
  let token = server.bearer_token_env_var;
  for (const [header, value] of Object.entries({ ...server.headers, ...server.http_headers })) {
    const bearer = header.toLowerCase() === "authorization" ? /^Bearer (.+)$/i.exec(value)?.[1] : undefined;
    const named = referenceIn(bearer ?? value);
    const variable = named ?? variableName(`${name}_${bearer === undefined ? header : "token"}`);
    if (named === undefined)
      todo.push(`set ${variable} in the environment of the host to the value of "${header}" there`);
    if (bearer === undefined) headers[header] = variable;
    else token = variable;
  }
  const named = { ...headers, ...server.env_http_headers };
  return {
    table: {
      url,
      ...(token === undefined ? {} : { token_env: token }),
      ...(Object.keys(named).length === 0 ? {} : { headers_env: named }),
    },
    todo,
  };
}

function referenceIn(value: string): string | undefined {
  const match = reference.exec(value);
  return match?.[1] ?? match?.[2];
}

function variableName(text: string): string {
  return text.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_");
}

/**
 * Expands the workspace folder and the home folder.
 * @throws {Error} for any other variable.
 */
function filled(text: string, where: string): string {
  const known = text
    .replaceAll("${workspaceFolder}", "$cwd")
    .replaceAll("${userHome}", homedir())
    .replace(/^~(?=\/|$)/, homedir());
  const unknown = /\$\{[^}]*\}/.exec(known)?.[0];
  if (unknown !== undefined)
    throw new Error(`has ${unknown} in ${where}, which is not filled in here; write the server by hand`);
  return known;
}
