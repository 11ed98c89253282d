import { visibleWidth, type Tokens } from "@earendil-works/pi-tui";
import { blockTokens, isTable } from "./block-tokens.ts";

/** Cells of the frame per column; the whole frame has one cell more. */
const frameOfColumn = 3;

/** A list has an entry per row, with column names before the cells. */
export function withoutNarrowTables(markdown: string, width: number): string {
  if (!markdown.includes("|")) return markdown;
  return blockTokens(markdown)
    .map((token) => (isTable(token) && neededWidth(token) > width ? listOf(token) : token.raw))
    .join("");
}

function neededWidth({ header, rows }: Tokens.Table): number {
  const columns = header.map((cell, column) => {
    const texts = [cell.text, ...rows.map((row) => row[column]?.text ?? "")];
    const words = texts.flatMap((text) => text.split(/\s+/));
    return words.reduce((widest, word) => Math.max(widest, visibleWidth(word)), 1);
  });
  return columns.reduce((sum, column) => sum + column + frameOfColumn, 1);
}

function listOf({ header, rows }: Tokens.Table): string {
  const names = header.map(({ text }) => text);
  const entries = rows.map((row) => {
    const [first = "", ...others] = row.map(({ text }) => text);
    const cells = others.map((text, index) => `\n  - ${names[index + 1] ?? ""}: ${text}`);
    return `- **${first}**${cells.join("")}`;
  });
  return `${entries.join("\n")}\n\n`;
}
