import { valueAt, withValue, type Table } from "../configuration/config-layer.ts";

interface HarmlessKey {
  readonly path: readonly [string, ...string[]];
  readonly value: unknown;
  readonly why: string;
}

/** They only restrict the host. All others reach out, cost money, steer a model, or remove safeguards of the user. */
export const harmlessKeys: readonly HarmlessKey[] = [
  { path: ["tools", "workspace"], value: false, why: "models get fewer tools" },
  { path: ["resume"], value: "ask", why: "waiting messages are not sent automatically" },
];

export interface SplitTable {
  readonly harmless: Table;
  /** As the user writes them: `mcp.servers.files`. */
  readonly leftOut: readonly string[];
}

export function splitHarmless(table: Table): SplitTable {
  const taken = harmlessKeys.filter(({ path, value }) => valueAt(table, path) === value);
  const harmless = taken.reduce<Table>((split, { path, value }) => withValue(split, path, value), {});
  return { harmless, leftOut: namesOf(table, taken) };
}

/** Tables whose keys are listed one by one. */
const groups: ReadonlySet<string> = new Set([
  "agents",
  "compaction",
  "extensions",
  "extensions.settings",
  "listen",
  "mcp",
  "mcp.servers",
  "network",
  "profiles",
  "prompt",
  "providers",
  "records",
  "storage",
  "telemetry",
  "tools",
]);

function namesOf(table: Table, taken: readonly HarmlessKey[], path: readonly string[] = []): readonly string[] {
  return Object.entries(table).flatMap(([key, value]) => {
    const inner = [...path, key];
    const name = inner.join(".");
    if (taken.some((harmless) => harmless.path.join(".") === name)) return [];
    const isGroup = groups.has(name) && typeof value === "object" && value !== null && !Array.isArray(value);
    return isGroup ? namesOf({ ...value }, taken, inner) : [name];
  });
}

/** Only the user's own file may set these, even if the folder is trusted: a model may write in the folder. */
const ownTables: ReadonlySet<string> = new Set(["approvals"]);

export function withoutOwnKeys(table: Table): { readonly table: Table; readonly leftOut: readonly string[] } {
  const entries = Object.entries(table);
  const leftOut = entries.map(([key]) => key).filter((key) => ownTables.has(key));
  return { table: Object.fromEntries(entries.filter(([key]) => !ownTables.has(key))), leftOut };
}
