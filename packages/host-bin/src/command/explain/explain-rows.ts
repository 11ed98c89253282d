import { clippedLine, explainTables, tokenText, type ExplainTable } from "@incipit/host/text";
import type { Explain } from "@incipit/schema";
import { filled } from "../output/fitted.ts";

/** Parts that are shown of a prompt of thousands; `--json` has all. */
const maxLines = 200;

const maxWordLength = 80;

/** A prompt's explanation as rows of tables that a person can read. */
export function explainRows(explain: Explain, prompt: string): readonly string[] {
  return [
    ...(explain.isImported === true
      ? ["It came with an import: what follows is what its sender says of it.", ""]
      : []),
    ...explainTables(explain, prompt).flatMap(tableRows),
    `${explain.sizeBytes} bytes, ${tokenText(explain.tokens)}, SHA-256 ${explain.sha256}`,
  ];
}

function tableRows({ title, rows }: ExplainTable): readonly string[] {
  const shown = rows
    .slice(0, maxLines)
    .map((row) => row.map((word) => clippedLine(word, { maxCharacters: maxWordLength })));
  const widths = (shown[0] ?? []).map((_, column) =>
    Math.max(...shown.map((row) => Bun.stringWidth(row[column] ?? ""))),
  );
  const lines = shown.map((row) => `  ${row.map((word, column) => filled(word, widths[column] ?? 0)).join("  ")}`);
  if (rows.length > maxLines) lines.push(`  … and ${rows.length - maxLines} more (--json has all)`);
  return [title, ...lines.map((line) => line.trimEnd()), ""];
}
