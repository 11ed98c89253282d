import type { ExtensionInfo } from "@incipit/transport-contract";

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: "required" | "used" | "contributed";
  readonly names: readonly string[];
}

export type LinkedExtension = Pick<
  ExtensionInfo,
  "id" | "provides" | "requires" | "uses" | "contributes" | "reads"
>;

export interface GraphNode<Extension extends LinkedExtension = ExtensionInfo> {
  readonly extension: Extension;
  /** Right of all its sources. */
  readonly column: number;
  /** Fractional where a shorter column is centred. */
  readonly row: number;
}

export interface Graph<Extension extends LinkedExtension> {
  readonly nodes: readonly GraphNode<Extension>[];
  readonly edges: readonly GraphEdge[];
}

/** Edges of a cycle, such as mutual use, do not affect columns. */
export function graphOf<Extension extends LinkedExtension>(extensions: readonly Extension[]): Graph<Extension> {
  const edges = edgesOf(extensions);
  const columns = columnsOf(extensions, edges);
  const rows = new Map<number, number>();
  const placed = new Map<string, GraphNode<Extension>>();
  const byColumn = extensions.toSorted((a, b) => (columns.get(a.id) ?? 0) - (columns.get(b.id) ?? 0));
  // Reduces crossings.
  const wish = ({ id }: Extension): number => {
    const sources = edges.filter(({ to }) => to === id).flatMap(({ from }) => placed.get(from)?.row ?? []);
    return sources.length === 0 ? 0 : sources.reduce((sum, row) => sum + row, 0) / sources.length;
  };
  for (const [column, members] of Map.groupBy(byColumn, ({ id }) => columns.get(id) ?? 0)) {
    for (const extension of members.toSorted((a, b) => wish(a) - wish(b))) {
      const row = rows.get(column) ?? 0;
      rows.set(column, row + 1);
      placed.set(extension.id, { extension, column, row });
    }
  }
  const highest = Math.max(0, ...rows.values());
  const nodes = [...placed.values()].map((node) => ({
    ...node,
    row: node.row + (highest - (rows.get(node.column) ?? 0)) / 2,
  }));
  return { nodes, edges };
}

function edgesOf(extensions: readonly LinkedExtension[]): readonly GraphEdge[] {
  return extensions.flatMap((to) =>
    extensions.flatMap((from): readonly GraphEdge[] => {
      if (from.id === to.id) return [];
      const given = (wanted: readonly string[], offered: readonly string[]): readonly string[] =>
        wanted.filter((name) => offered.includes(name));
      const kinds = [
        { kind: "required", names: given(to.requires, from.provides) },
        { kind: "used", names: given(to.uses, from.provides) },
        { kind: "contributed", names: given(to.reads, from.contributes) },
      ] as const;
      return kinds.flatMap(({ kind, names }) =>
        names.length === 0 ? [] : [{ from: from.id, to: to.id, kind, names }],
      );
    }),
  );
}

function columnsOf(
  extensions: readonly LinkedExtension[],
  edges: readonly GraphEdge[],
): ReadonlyMap<string, number> {
  const columns = new Map<string, number>();
  const open = new Set<string>();
  const columnOf = (id: string): number => {
    const known = columns.get(id);
    if (known !== undefined) return known;
    open.add(id);
    const sources = edges.filter(({ to, from }) => to === id && !open.has(from)).map(({ from }) => from);
    const column = sources.length === 0 ? 0 : Math.max(...sources.map(columnOf)) + 1;
    open.delete(id);
    columns.set(id, column);
    return column;
  };
  for (const { id } of extensions) columnOf(id);
  return columns;
}
