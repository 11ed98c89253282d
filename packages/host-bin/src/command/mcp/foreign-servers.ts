import { readLayer, valueAt, type Table } from "@incipit/host/configuration";
import * as z from "zod";

const texts = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean()]).nullable())
  .transform((given) =>
    Object.fromEntries(
      Object.entries(given).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]])),
    ),
  );

/** Accepts the keys of several hosts, which use different names for the same settings. */
const foreignSchema = z
  .looseObject({
    /** A program, or a program with its arguments. */
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

/**
 * Paths of the servers in the files of Claude Code, Cursor, Gemini and most others; VS Code; its settings; opencode;
 * codex.
 */
const places = [["mcpServers"], ["servers"], ["mcp", "servers"], ["mcp"], ["mcp_servers"]];

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

function withoutNulls(server: unknown): unknown {
  const { data } = tableSchema.safeParse(server);
  if (data === undefined) return server;
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null));
}

/** Keys that are ignored without a report: the type of a server, and display options of other hosts. */
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

/** Returns the names of keys that an import ignores; not their values, which may be secrets. */
export function unusedMembers(server: ForeignServer): readonly string[] {
  const known = new Set(Object.keys(foreignSchema.shape));
  return Object.keys(server).filter((name) => !known.has(name) && !needless.has(name));
}

function parsed(text: string, file: string): Table {
  try {
    // Accepts comments, as editors do.
    const document: unknown = file.endsWith(".toml") ? readLayer(text, { file }).table : Bun.JSONC.parse(text);
    return tableSchema.parse(document);
  } catch (cause) {
    throw new Error(`"${file}" is neither JSON nor, by its name, TOML: there is nothing to import in it`, {
      cause,
    });
  }
}
