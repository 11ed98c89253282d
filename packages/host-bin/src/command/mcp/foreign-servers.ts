import { readLayer, valueAt, type Table } from "@incipit/host/configuration";
import * as z from "zod";

/** Values as texts; null stands for none. */
const texts = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean()]).nullable())
  .transform((given) =>
    Object.fromEntries(
      Object.entries(given).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]])),
    ),
  );

/** A server as other hosts write it: each has its own names for the same things. */
const foreignSchema = z
  .looseObject({
    /** A program, or with its arguments in one list. */
    command: z.union([z.string(), z.array(z.string()).min(1)]),
    args: z.array(z.coerce.string()),
    cwd: z.string(),
    env: texts,
    environment: texts,
    url: z.string(),
    httpUrl: z.string(),
    serverUrl: z.string(),
    headers: texts,
    http_headers: texts,
    env_http_headers: texts,
    bearer_token_env_var: z.string(),
    disabled: z.boolean(),
    enabled: z.boolean(),
  })
  .partial();

export type ForeignServer = z.output<typeof foreignSchema>;

/** Where the hosts of others keep them: Claude Code, Cursor, Gemini and most; VS Code; its settings; opencode; codex. */
const places = [["mcpServers"], ["servers"], ["mcp", "servers"], ["mcp"], ["mcp_servers"]];

/**
 * The servers in a file of another host, by their names there.
 * @throws {Error} for text of another kind; the message says what is looked for.
 */
export function foreignServers(text: string, file: string): ReadonlyMap<string, ForeignServer | undefined> {
  const document = parsed(text, file);
  const found = places
    .map((place) => valueAt(document, place))
    .find((value) => tableSchema.safeParse(value).success);
  if (found === undefined)
    throw new Error(
      `"${file}" names no MCP servers: there is no table "mcpServers", "servers", "mcp" or "mcp_servers" in it`,
    );
  return new Map(
    Object.entries(tableSchema.parse(found)).map(([name, server]) => [
      name,
      foreignSchema.safeParse(withoutNulls(server)).data,
    ]),
  );
}

const tableSchema = z.record(z.string(), z.unknown());

/** Members that are null are absent. */
function withoutNulls(server: unknown): unknown {
  const { data } = tableSchema.safeParse(server);
  if (data === undefined) return server;
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null));
}

/** Members that say nothing that is lost: what a server is, and what only other hosts show of it. */
const needless = new Set([
  "type",
  "transport",
  "description",
  "name",
  "icon",
  "disabled",
  "enabled",
  "gallery",
  "version",
]);

/** Returns the names of those members of a server that have no counterpart here, in their order. Values may be secrets. */
export function unusedMembers(server: ForeignServer): readonly string[] {
  const known = new Set(Object.keys(foreignSchema.shape));
  return Object.keys(server).filter((name) => !known.has(name) && !needless.has(name));
}

function parsed(text: string, file: string): Table {
  try {
    // With comments, as editors have them.
    const document: unknown = file.endsWith(".toml") ? readLayer(text, { file }).table : Bun.JSONC.parse(text);
    return tableSchema.parse(document);
  } catch (cause) {
    throw new Error(`"${file}" is neither JSON nor, by its name, TOML: there is nothing to import in it`, {
      cause,
    });
  }
}
