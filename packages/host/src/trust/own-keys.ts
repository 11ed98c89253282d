import type { Table } from "../configuration/config-layer.ts";

/**
 * Tables that only the user's own file may set, even if the folder is trusted: a folder may request approvals but not
 * grant them, since a model may write in it.
 */
const ownTables: ReadonlySet<string> = new Set(["approvals"]);

/** Removes those tables from a folder's file; `leftOut` lists them. */
export function withoutOwnKeys(table: Table): { readonly table: Table; readonly leftOut: readonly string[] } {
  const entries = Object.entries(table);
  const leftOut = entries.map(([key]) => key).filter((key) => ownTables.has(key));
  return { table: Object.fromEntries(entries.filter(([key]) => !ownTables.has(key))), leftOut };
}
