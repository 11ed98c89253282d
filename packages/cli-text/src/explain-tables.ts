import type { Explain, TextTrust } from "@incipit/schema";

export const trustText: Readonly<Record<TextTrust, string>> = {
  trusted: "trusted",
  "not-trusted": "not trusted",
  changed: "changed since it was trusted",
};

export interface ExplainTable {
  readonly title: string;
  readonly rows: readonly Row[];
}

export function explainTables(explain: Explain, prompt: string): readonly ExplainTable[] {
  const { tiers, variables, segments, conflicts, ranges } = explain;
  return [
    { title: "Base template: the first that is set", rows: tiers.map(tierRow) },
    { title: "Variables", rows: variables.map(variableRow) },
    { title: "Omitted files", rows: variables.flatMap(leftOutRows) },
    { title: "Segments of extensions", rows: segments.filter(isWorthARow).map(segmentRow) },
    {
      title: "Not used",
      rows: conflicts.map(({ point, name, extension, detail }) => [point, name, extension, detail]),
    },
    { title: "Parts of the prompt", rows: rangeRows(ranges, explain, prompt) },
  ].filter(({ rows }) => rows.length > 0);
}

type Row = readonly string[];

function tierRow({ tier, position, source, won, reason, version }: Explain["tiers"][number]): Row {
  const versioned = version === null ? source : `${source}, version ${version}`;
  return [won ? "*" : " ", String(position), tier, versioned, reason];
}

type ExplainedVariable = Explain["variables"][number];

function variableRow(variable: ExplainedVariable): Row {
  const { type, name, kind, reason, detail, trust, sizeBytes, source, tookMs } = variable;
  const size = trust === null ? `${sizeBytes} bytes` : `${sizeBytes} bytes, ${trustText[trust]}`;
  const outcome = kind === "value" ? size : `absent: ${reason ?? "failed"}`;
  return [`[${type}:${name}]`, outcome, source, `${Math.round(tookMs)} ms`, detail ?? ""];
}

function leftOutRows({ type, name, leftOut = [] }: ExplainedVariable): readonly Row[] {
  return leftOut.map(({ path, why }) => [`[${type}:${name}]`, path, why]);
}

/** Hides segments that add nothing without a reason. */
function isWorthARow({ kind, detail }: Explain["segments"][number]): boolean {
  return kind !== "nothing" || detail !== null;
}

function segmentRow({ id, extension, kind, detail }: Explain["segments"][number]): Row {
  return [id, extension, kind, detail ?? ""];
}

/** Ranges are sorted and cover the whole prompt; offsets are in bytes. */
function rangeRows(ranges: Explain["ranges"], explain: Explain, prompt: string): readonly Row[] {
  let end = 0;
  return ranges.map((range) => {
    const text = prompt.slice(range.start, range.end);
    const start = end;
    end += Buffer.byteLength(text);
    return [`${start}-${end}`, ...rangeWords(range, explain), JSON.stringify(text)];
  });
}

function rangeWords(range: Explain["ranges"][number], { branches }: Explain): Row {
  const { origin, name, tier } = range;
  const what =
    origin === "variable" ? `[${name ?? "?"}]` : origin === "segment" ? `segment ${name ?? "?"}` : origin;
  const branch = range.branch === null ? undefined : branches[range.branch];
  const where = branch === undefined ? "" : `in [${branch.condition}]${branch.side === "else" ? ", else" : ""}`;
  return [what, tier, where];
}
