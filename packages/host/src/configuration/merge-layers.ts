import { isTable, valueAt, type ConfigLayer, type Table } from "./config-layer.ts";

function isWhole(path: readonly PropertyKey[], whole: ReadonlySet<string>): boolean {
  const named = path.map((key) => String(key).replaceAll(".", " "));
  return whole.has(named.join(".")) || whole.has([...named.slice(0, -1), "*"].join("."));
}

/**
 * Later layers win, key by key. Lists and the tables in `whole`, such as `mcp.servers.*`, are replaced as a whole: a
 * layer cannot redirect the key of another layer to its own address.
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

/** Returns the layer that sets a key; for a missing key, the one with the longest part of its path. */
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
