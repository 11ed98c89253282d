import { stringify } from "smol-toml";
import type { Table } from "./config-layer.ts";

/** Formats a table as TOML lines that can be appended to a configuration file. */
export function tomlText(table: Table): string {
  return stringify(table);
}
