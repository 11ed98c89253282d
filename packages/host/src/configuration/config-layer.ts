import { isTooDeep, maxJsonDepth, tooDeepText } from "@incipit/kernel";
import { resolve } from "node:path";
import { parse, stringify, TomlError } from "smol-toml";
import { repeatedKey } from "./line-of-key.ts";
import { ConfigError } from "./config-error.ts";

export type Table = Readonly<Record<string, unknown>>;

export interface ConfigLayer {
  readonly file: string;
  readonly text: string;
  readonly table: Table;
}

/**
 * Without `folder`, relative paths stay relative.
 * @throws {ConfigError} `FILE:LINE: …` for invalid TOML.
 */
export function readLayer(
  text: string,
  { file, folder }: { readonly file: string; readonly folder?: string },
): ConfigLayer {
  const table = parseToml(text, file);
  return { file, text, table: folder === undefined ? table : withAbsolutePaths(table, folder) };
}

export function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

export function valueAt(table: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (isTable(value) && Object.hasOwn(value, key) ? value[String(key)] : undefined),
    table,
  );
}

export function withValue(table: Table, path: readonly string[], value: unknown): Table {
  const [key = "", ...rest] = path;
  if (rest.length === 0) return { ...table, [key]: value };
  const inner = valueAt(table, [key]) ?? {};
  return isTable(inner) ? { ...table, [key]: withValue(inner, rest, value) } : table;
}

/** Paths are relative to their own file, so this precedes the merge. */
function withAbsolutePaths(table: Table, folder: string): Table {
  const paths = valueAt(table, ["extensions", "paths"]);
  if (!Array.isArray(paths)) return table;
  const absolute = paths.map((path: unknown) =>
    typeof path === "string" && path !== "" ? resolve(folder, path) : path,
  );
  return withValue(table, ["extensions", "paths"], absolute);
}

/** In UTF-16 units; the complete example file with comments has 20,000. */
const maxConfigLength = 1_048_576;

function tomlReason(error: TomlError, text: string): string {
  const [reason = "it is not valid TOML"] = error.message.replace(/^Invalid TOML document: /, "").split("\n");
  const repeated = reason.includes("redefine") ? repeatedKey(text, error) : undefined;
  if (repeated === undefined) return reason;
  const { name, firstName, firstLine } = repeated;
  return `it defines "${name}", and line ${firstLine} has "${firstName}" already; make one of the two`;
}

function parseToml(text: string, file: string): Table {
  if (text.length > maxConfigLength)
    throw new ConfigError(
      `${file}: it has more than ${maxConfigLength} characters; write less, or name another file`,
    );
  try {
    const table = parse(text, { maxDepth: maxJsonDepth });
    if (!isTooDeep(table)) return table;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new ConfigError(`${file}:${error.line}: ${tomlReason(error, text)}`, { cause: error });
  }
  throw new ConfigError(`${file}: its tables are ${tooDeepText}`); // The parser counts no dotted keys.
}

export function tomlText(table: Table): string {
  return stringify(table);
}
