import type { Explain, TextTrust } from "@incipit/schema";
import { clippedLine } from "@incipit/host/text";
import { tokenText } from "../output/token-text.ts";

/** Parts that are shown of a prompt of thousands; `--json` has all. */
const maxLines = 200;

const maxWordLength = 80;

/** What a person has said of text from a working folder. */
export const trustText: Readonly<Record<TextTrust, string>> = {
  trusted: "trusted",
  "not-trusted": "not trusted",
  changed: "changed since it was trusted",
};

/** A prompt's explanation as tables that a person can read. */
export function explainText(explain: Explain, prompt: string): string {
  const { tiers, variables, segments, conflicts, ranges } = explain;
  return [
    explain.isImported === true ? "It came with an import: what follows is what its sender says of it.\n\n" : "",
    table("Base text: the first that is set", tiers.map(tierRow)),
    table("Variables", variables.map(variableRow)),
    table("Segments of extensions", segments.filter(isWorthARow).map(segmentRow)),
    table(
      "Not used",
      conflicts.map(({ point, name, extension, detail }) => [point, name, extension, detail]),
    ),
    table(
      "Text, part by part",
      ranges.map((range) => rangeRow(range, explain, prompt)),
    ),
    `${explain.sizeBytes} bytes, ${tokenText(explain.tokens)}, SHA-256 ${explain.sha256}\n`,
  ].join("");
}

type Row = readonly string[];

function tierRow({ tier, position, source, won, reason, version }: Explain["tiers"][number]): Row {
  const versioned = version === null ? source : `${source}, version ${version}`;
  return [won ? "*" : " ", String(position), tier, versioned, reason];
}

function variableRow(variable: Explain["variables"][number]): Row {
  const { type, name, kind, reason, detail, trust, sizeBytes, source, tookMs } = variable;
  const size = trust === null ? `${sizeBytes} bytes` : `${sizeBytes} bytes, ${trustText[trust]}`;
  const outcome = kind === "value" ? size : `absent: ${reason ?? "failed"}`;
  return [`[${type}:${name}]`, outcome, source, `${Math.round(tookMs)} ms`, detail ?? ""];
}

/** One that adds nothing here, and does not say why, is of no interest to whoever reads a prompt. */
function isWorthARow({ kind, detail }: Explain["segments"][number]): boolean {
  return kind !== "nothing" || detail !== null;
}

function segmentRow({ id, extension, kind, detail }: Explain["segments"][number]): Row {
  return [id, extension, kind, detail ?? ""];
}

function rangeRow(range: Explain["ranges"][number], { branches }: Explain, prompt: string): Row {
  const { start, end, origin, name, tier } = range;
  const what =
    origin === "variable" ? `[${name ?? "?"}]` : origin === "segment" ? `segment ${name ?? "?"}` : origin;
  const branch = range.branch === null ? undefined : branches[range.branch];
  const where = branch === undefined ? "" : `in [${branch.condition}]${branch.side === "else" ? ", else" : ""}`;
  return [`${start}-${end}`, what, tier, where, JSON.stringify(prompt.slice(start, end))];
}

/** Nothing at all when there are no rows. */
function table(title: string, rows: readonly Row[]): string {
  if (rows.length === 0) return "";
  const shown = rows
    .slice(0, maxLines)
    .map((row) => row.map((word) => clippedLine(word, { maxCharacters: maxWordLength })));
  const widths = (shown[0] ?? []).map((_, column) => Math.max(...shown.map((row) => row[column]?.length ?? 0)));
  const lines = shown.map((row) => `  ${row.map((word, column) => word.padEnd(widths[column] ?? 0)).join("  ")}`);
  if (rows.length > maxLines) lines.push(`  … and ${rows.length - maxLines} more (--json has all)`);
  return `${title}\n${lines.map((line) => line.trimEnd()).join("\n")}\n\n`;
}
