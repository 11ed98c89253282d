import { stringify } from "smol-toml";
import type { Table } from "./config-layer.ts";

/** A table as lines of a configuration file, which can stand at the end of one. */
export function tomlText(table: Table): string {
  return stringify(table);
}
