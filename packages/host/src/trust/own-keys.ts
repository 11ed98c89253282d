import type { Table } from "../configuration/config-layer.ts";

/** Only the user's own file may set these, even if the folder is trusted: a model may write in the folder. */
const ownTables: ReadonlySet<string> = new Set(["approvals"]);

export function withoutOwnKeys(table: Table): { readonly table: Table; readonly leftOut: readonly string[] } {
  const entries = Object.entries(table);
  const leftOut = entries.map(([key]) => key).filter((key) => ownTables.has(key));
  return { table: Object.fromEntries(entries.filter(([key]) => !ownTables.has(key))), leftOut };
}
