import { visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { clippedLine } from "@incipit/schema/text";
import { hanging } from "../transcript/block.ts";

export interface ColumnsOptions {
  readonly width: number;
  readonly indent?: string;
}

const widest = 36;
const leastLast = 26;
const gap = "  ";

/**
 * The last cell is wrapped, together with preceding cells that do not fit. A row whose cell is too wide for its column,
 * or whose word would be split, puts the preceding cells on their own line.
 */
export function columns(
  rows: readonly (readonly string[])[],
  { width, indent = "  " }: ColumnsOptions,
): readonly string[] {
  const widths: number[] = [];
  let besides = indent.length;
  const most = Math.max(0, ...rows.map((row) => row.length)) - 1;
  for (let column = 0; column < most; column += 1) {
    const cells = Math.min(widest, Math.max(...rows.map((row) => visibleWidth(row[column] ?? ""))));
    if (column > 0 && besides + cells + gap.length + leastLast > width) break;
    widths.push(cells);
    besides += cells + gap.length;
  }
  return rows.flatMap((row) => {
    const lead = row.slice(0, widths.length);
    const rest = row
      .slice(widths.length)
      .filter((cell) => cell !== "")
      .join(gap);
    const fits = lead.every((cell, column) => visibleWidth(cell) <= (widths[column] ?? 0));
    const widestWord = Math.max(0, ...rest.split(/\s+/).map((word) => visibleWidth(word)));
    if (fits && besides + Math.max(leastLast, Math.min(widestWord, width - indent.length - gap.length)) <= width) {
      const first = `${indent}${lead.map((cell, column) => padded(cell, widths[column] ?? 0)).join("")}`;
      if (rest === "") return [first.trimEnd()];
      const lines = hanging(rest, { first: "", rest: "", width: width - besides });
      return lines.map((line, index) => `${index === 0 ? first : " ".repeat(besides)}${line}`);
    }
    const below = `${indent}${gap}`;
    return [
      ...wrapTextWithAnsi(`${indent}${lead.join(gap)}`.trimEnd(), width),
      ...(rest === "" ? [] : hanging(rest, { first: below, width })),
    ];
  });
}

function padded(cell: string, width: number): string {
  return `${cell}${" ".repeat(Math.max(0, width - visibleWidth(cell)))}${gap}`;
}

export function clipped(text: string, width: number): string {
  const characters = Array.from(clippedLine(text, { maxCharacters: 10 * width }));
  return characters.length <= width ? characters.join("") : `${characters.slice(0, width - 1).join("")}…`;
}
