import { explainTables, tokenText, type ExplainTable } from "@incipit/cli-text";
import { clippedLine } from "@incipit/schema/text";
import type { Explain } from "@incipit/schema";
import { filled } from "../output/fitted.ts";
import { hashed } from "../output/hashed.ts";
import type { Output } from "../output/output.ts";
import { isTooNarrowFor } from "../output/row-lines.ts";

const maxLines = 200;

const maxWordLength = 80;

export function printExplain(explain: Explain, prompt: string, output: Output): void {
  for (const row of explainRows(explain, prompt, output))
    output.outRow(row, row.startsWith(" ") ? (/^ {2}[* ] {2}\d/.test(row) ? tierLead : lead) : undefined);
}

const lead = 6;
const tierLead = 8;

export function explainRows(
  explain: Explain,
  prompt: string,
  screen: Pick<Output, "isScreen" | "width">,
): readonly string[] {
  return [
    ...(explain.isImported === true
      ? ["It came with an import: what follows is what its sender says of it.", ""]
      : []),
    ...explainTables(explain, prompt).flatMap((table) => tableRows(table, screen)),
    hashed(
      explain.sha256,
      (hash) => `${explain.sizeBytes} bytes, ${tokenText(explain.tokens)}, SHA-256 ${hash}`,
      screen,
    ),
  ];
}

function tableRows({ title, rows }: ExplainTable, screen: Pick<Output, "isScreen" | "width">): readonly string[] {
  const shown = rows
    .slice(0, maxLines)
    .map((row) => row.map((word) => clippedLine(word, { maxCharacters: maxWordLength })));
  const widths = (shown[0] ?? []).map((_, column) =>
    Math.max(...shown.map((row) => Bun.stringWidth(row[column] ?? ""))),
  );
  const inColumns = shown.map((row) =>
    `  ${row.map((word, column) => filled(word, widths[column] ?? 0)).join("  ")}`.trimEnd(),
  );
  // A single row without room would break the columns of the others.
  const lines = isTooNarrowFor(inColumns, screen)
    ? shown.map((row) => `  ${row.filter((word) => word !== "").join("  ")}`)
    : inColumns;
  if (rows.length > maxLines) lines.push(`  … and ${rows.length - maxLines} more (--json has all)`);
  return [title, ...lines, ""];
}
