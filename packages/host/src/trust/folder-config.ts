import { realpathSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "../configuration/config-error.ts";
import { configText } from "../configuration/config-text.ts";
import {
  isTable,
  readLayer,
  valueAt,
  withValue,
  type ConfigLayer,
  type Table,
} from "../configuration/config-layer.ts";
import { readFolderFile, type FolderFile } from "./folder-file.ts";

export const configName = "incipit.toml";

const maxConfigBytes = 262_144;

export interface FolderConfig {
  readonly folder: string;
  readonly file: FolderFile;
  readonly layer: ConfigLayer | ConfigError | undefined;
}

export function readFolderConfig(path: string): FolderConfig {
  const folder = realpathSync(path);
  const file = readFolderFile(folder, { name: configName, maxBytes: maxConfigBytes });
  return { folder, file, layer: file.kind === "read" ? layerOf(folder, file.bytes) : undefined };
}

function layerOf(folder: string, bytes: Uint8Array): ConfigLayer | ConfigError {
  const file = join(folder, configName);
  try {
    const layer = readLayer(configText(bytes, file), { file, folder });
    return { ...layer, table: withServersInside(layer.table, folder) };
  } catch (error) {
    if (error instanceof ConfigError) return error;
    // Other errors that hostile text may cause in the parser.
    return new ConfigError(`${file}: not a configuration file`, { cause: error });
  }
}

/** Server programs run in the folder, unless the file sets one. */
function withServersInside(table: Table, folder: string): Table {
  const servers = valueAt(table, ["mcp", "servers"]);
  if (!isTable(servers)) return table;
  return Object.entries(servers).reduce((changed, [name, server]) => {
    const isProgram = isTable(server) && server["command"] !== undefined && server["cwd"] === undefined;
    return isProgram ? withValue(changed, ["mcp", "servers", name, "cwd"], folder) : changed;
  }, table);
}
