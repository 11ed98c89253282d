import { isTable, valueAt, type ConfigLayer, type Table } from "./config-layer.ts";

/**
 * Tables that are taken whole from the topmost file that has them. Each belongs together, as an address and the key that
 * it gets do: nobody can put an address under somebody else's key.
 */
const wholeTables: ReadonlySet<string> = new Set([
  "providers.*",
  "profiles.*",
  "mcp.servers.*",
  "extensions.settings.*",
  "telemetry",
]);

function isWhole(path: readonly PropertyKey[]): boolean {
  const named = path.map((key) => String(key).replaceAll(".", " "));
  return wholeTables.has(named.join(".")) || wholeTables.has([...named.slice(0, -1), "*"].join("."));
}

/** Lays each file over those before it, key by key; a list, and a table that belongs together, is taken whole. */
export function mergeLayers(layers: readonly ConfigLayer[]): Table {
  return layers.reduce<Table>((below, { table }) => merge(below, table, []), {});
}

function merge(below: Table, above: Table, path: readonly string[]): Table {
  const merged = new Map(Object.entries(below));
  for (const [key, value] of Object.entries(above)) {
    const known = merged.get(key);
    const inner = [...path, key];
    merged.set(key, isTable(known) && isTable(value) && !isWhole(inner) ? merge(known, value, inner) : value);
  }
  return Object.fromEntries(merged);
}

/** The file that a key of the merged table comes from; of a missing one, the file with the most of its path. */
export function layerOf(path: readonly PropertyKey[], layers: readonly ConfigLayer[]): ConfigLayer | undefined {
  let nearest: ConfigLayer | undefined;
  let nearestDepth = -1;
  for (const layer of layers.toReversed()) {
    let depth = 0;
    while (depth < path.length && valueAt(layer.table, path.slice(0, depth + 1)) !== undefined) {
      depth += 1;
      if (isWhole(path.slice(0, depth))) return layer;
    }
    if (depth > nearestDepth) [nearest, nearestDepth] = [layer, depth];
  }
  return nearest;
}
