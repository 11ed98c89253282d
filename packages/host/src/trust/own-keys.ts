import type { Table } from "../configuration/config-layer.ts";

/**
 * Tables that count in their user's own file alone: what a folder holds asks, and never answers, whoever trusts it. A model may
 * write in the folder.
 */
const ownTables: ReadonlySet<string> = new Set(["approvals"]);

/** What is left of a folder's file once nothing in it is its user's alone; `leftOut`: what was. */
export function withoutOwnKeys(table: Table): { readonly table: Table; readonly leftOut: readonly string[] } {
  const entries = Object.entries(table);
  const leftOut = entries.map(([key]) => key).filter((key) => ownTables.has(key));
  return { table: Object.fromEntries(entries.filter(([key]) => !ownTables.has(key))), leftOut };
}
