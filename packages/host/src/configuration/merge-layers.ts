import { isTable, valueAt, type ConfigLayer, type Table } from "./config-layer.ts";

function isWhole(path: readonly PropertyKey[], whole: ReadonlySet<string>): boolean {
  const named = path.map((key) => String(key).replaceAll(".", " "));
  return whole.has(named.join(".")) || whole.has([...named.slice(0, -1), "*"].join("."));
}

/**
 * Lays each file over those before it, key by key; a list, and a table that belongs together, is taken whole.
 * @param whole Such tables, as `mcp.servers.*`: nobody can put an address under somebody else's key.
 */
export function mergeLayers(layers: readonly ConfigLayer[], whole: ReadonlySet<string>): Table {
  return layers.reduce<Table>((below, { table }) => merge(below, table, { path: [], whole }), {});
}

interface MergeOptions {
  readonly path: readonly string[];
  readonly whole: ReadonlySet<string>;
}

function merge(below: Table, above: Table, { path, whole }: MergeOptions): Table {
  const merged = new Map(Object.entries(below));
  for (const [key, value] of Object.entries(above)) {
    const known = merged.get(key);
    const inner = [...path, key];
    merged.set(
      key,
      isTable(known) && isTable(value) && !isWhole(inner, whole)
        ? merge(known, value, { path: inner, whole })
        : value,
    );
  }
  return Object.fromEntries(merged);
}

/** The file that a key of the merged table comes from; of a missing one, the file with the most of its path. */
export function layerOf(
  path: readonly PropertyKey[],
  layers: readonly ConfigLayer[],
  whole: ReadonlySet<string>,
): ConfigLayer | undefined {
  let nearest: ConfigLayer | undefined;
  let nearestDepth = -1;
  for (const layer of layers.toReversed()) {
    let depth = 0;
    while (depth < path.length && valueAt(layer.table, path.slice(0, depth + 1)) !== undefined) {
      depth += 1;
      if (isWhole(path.slice(0, depth), whole)) return layer;
    }
    if (depth > nearestDepth) [nearest, nearestDepth] = [layer, depth];
  }
  return nearest;
}
