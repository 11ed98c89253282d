import { stringify } from "smol-toml";
import type { Table } from "./config-layer.ts";

export function tomlText(table: Table): string {
  return stringify(table);
}
