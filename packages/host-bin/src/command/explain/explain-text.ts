import { clippedLine, explainTables, tokenText, type ExplainTable } from "@incipit/host/text";
import type { Explain } from "@incipit/schema";

/** Parts that are shown of a prompt of thousands; `--json` has all. */
const maxLines = 200;

const maxWordLength = 80;

/** A prompt's explanation as tables that a person can read. */
export function explainText(explain: Explain, prompt: string): string {
  return [
    explain.isImported === true ? "It came with an import: what follows is what its sender says of it.\n\n" : "",
    ...explainTables(explain, prompt).map(tableText),
    `${explain.sizeBytes} bytes, ${tokenText(explain.tokens)}, SHA-256 ${explain.sha256}\n`,
  ].join("");
}

function tableText({ title, rows }: ExplainTable): string {
  const shown = rows
    .slice(0, maxLines)
    .map((row) => row.map((word) => clippedLine(word, { maxCharacters: maxWordLength })));
  const widths = (shown[0] ?? []).map((_, column) => Math.max(...shown.map((row) => row[column]?.length ?? 0)));
  const lines = shown.map((row) => `  ${row.map((word, column) => word.padEnd(widths[column] ?? 0)).join("  ")}`);
  if (rows.length > maxLines) lines.push(`  … and ${rows.length - maxLines} more (--json has all)`);
  return `${title}\n${lines.map((line) => line.trimEnd()).join("\n")}\n\n`;
}
