import type { CapabilitiesInfo, ExtensionInfo } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { hostWords } from "../text/host-words.ts";
import { setupWords } from "../text/setup-words.ts";
import { graphOf, type GraphEdge, type GraphNode } from "./extension-graph.ts";

const said = setupWords.graph;

const nodeWidth = 208;
const nodeHeight = 64;
const columnGap = 88;
const rowGap = 14;
const edge = 6;
const longestLine = 30;

interface PictureProps {
  readonly extensions: readonly ExtensionInfo[];
}

export function GraphPicture({ extensions }: PictureProps): JSX.Element {
  const { nodes, edges } = useMemo(() => graphOf(extensions), [extensions]);
  const [pointed, setPointed] = useState<string>();
  const places = new Map(nodes.map((node) => [node.extension.id, node]));
  const columns = Math.max(0, ...nodes.map(({ column }) => column)) + 1;
  const rows = Math.max(0, ...nodes.map(({ row }) => row)) + 1;
  const width = columns * (nodeWidth + columnGap) - columnGap + 2 * edge;
  const height = rows * (nodeHeight + rowGap) - rowGap + 2 * edge;
  return (
    <div class="graph">
      <ul class="graph-legend">
        {(["required", "used", "contributed"] as const).map((kind) => (
          <li key={kind}>
            <svg width={32} height={8} aria-hidden="true">
              <line class="graph-edge" data-kind={kind} x1={0} x2={32} y1={4} y2={4} />
            </svg>
            {said[kind]}
          </li>
        ))}
      </ul>
      <div class="graph-place" tabIndex={0} role="region" aria-label={said.title}>
        <svg width={width} height={height} data-points={pointed !== undefined} aria-hidden="true">
          {edges.map((one) => (
            <Edge key={`${one.from} ${one.to} ${one.kind}`} edge={one} places={places} pointed={pointed} />
          ))}
          {nodes.map((node) => (
            <Node key={node.extension.id} node={node} onPoint={setPointed} />
          ))}
        </svg>
      </div>
    </div>
  );
}

function leftOf({ column }: GraphNode): number {
  return edge + column * (nodeWidth + columnGap);
}

function topOf({ row }: GraphNode): number {
  return edge + row * (nodeHeight + rowGap);
}

interface EdgeProps {
  readonly edge: GraphEdge;
  readonly places: ReadonlyMap<string, GraphNode>;
  readonly pointed: string | undefined;
}

function Edge({ edge: { from, to, kind, names }, places, pointed }: EdgeProps): JSX.Element | null {
  const [giver, taker] = [places.get(from), places.get(to)];
  if (giver === undefined || taker === undefined) return null;
  const [x1, y1] = [leftOf(giver) + nodeWidth, topOf(giver) + nodeHeight / 2];
  const [x2, y2] = [leftOf(taker), topOf(taker) + nodeHeight / 2];
  const bend = Math.max(columnGap / 2, Math.abs(x2 - x1) / 2);
  return (
    <path
      class="graph-edge"
      data-kind={kind}
      data-near={from === pointed || to === pointed}
      d={`M ${x1} ${y1} C ${x1 + bend} ${y1}, ${x2 - bend} ${y2}, ${x2} ${y2}`}
    >
      <title>{`${from} → ${to}: ${names.join(", ")}`}</title>
    </path>
  );
}

interface NodeProps {
  readonly node: GraphNode;
  readonly onPoint: (id: string | undefined) => void;
}

function Node({ node, onPoint }: NodeProps): JSX.Element {
  const { extension } = node;
  const { id, phase, version, callsInFlight, granted, refusals } = extension;
  const [x, y] = [leftOf(node), topOf(node)];
  const state = [
    hostWords.extensions.phase[phase],
    version,
    ...(callsInFlight > 0 ? [said.calls(callsInFlight)] : []),
    ...(refusals.count > 0 ? [said.refused(refusals.count)] : []),
  ].join(" · ");
  const powers = powersOf(granted);
  return (
    <g
      class="graph-node"
      data-phase={phase}
      data-refused={refusals.count > 0}
      onMouseEnter={() => onPoint(id)}
      onMouseLeave={() => onPoint(undefined)}
      onClick={() => {
        const entry = document.querySelector(`#extension-${CSS.escape(id)}`);
        entry?.scrollIntoView({ block: "center" });
        if (entry instanceof HTMLElement) entry.focus({ preventScroll: true });
      }}
    >
      <title>{`${id}: ${state}; ${powers}`}</title>
      <rect x={x} y={y} width={nodeWidth} height={nodeHeight} rx={8} />
      <rect class="graph-phase" x={x} y={y} width={5} height={nodeHeight} rx={2} />
      <text class="graph-name" x={x + 14} y={y + 19}>
        {cut(id)}
      </text>
      <text x={x + 14} y={y + 37}>
        {cut(state)}
      </text>
      <text class="graph-quiet" x={x + 14} y={y + 54}>
        {cut(powers)}
      </text>
    </g>
  );
}

function powersOf(granted: CapabilitiesInfo): string {
  const powers = (["fs", "spawn", "net", "env", "storage", "listen", "system"] as const).filter(
    (power) => granted[power] !== undefined,
  );
  const services = granted.uses?.length ?? 0;
  const all = [...powers, ...(services === 0 ? [] : [said.services(services)])];
  return all.length === 0 ? said.noPowers : said.powers(all.join(", "));
}

function cut(text: string): string {
  return text.length <= longestLine ? text : `${text.slice(0, longestLine - 1)}…`;
}
