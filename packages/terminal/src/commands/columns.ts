import { visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { hanging } from "../transcript/block.ts";

export interface ColumnsOptions {
  readonly width: number;
  /** In front of each row. */
  readonly indent?: string;
  /** Widest that a column may be which is not the last one. */
  readonly widest?: number;
}

/** The last column has to have so much room beside the others. */
const leastLast = 18;

/** Rows of cells below each other; the last cell is wrapped. Where there is no room beside the others it stands below them. */
export function columns(
  rows: readonly (readonly string[])[],
  { width, indent = "  ", widest = 30 }: ColumnsOptions,
): readonly string[] {
  const count = Math.max(0, ...rows.map((row) => row.length)) - 1;
  const widths = Array.from({ length: Math.max(0, count) }, (_, column) =>
    Math.min(widest, Math.max(0, ...rows.map((row) => visibleWidth(row[column] ?? "")))),
  );
  const besides = indent.length + widths.reduce((sum, cells) => sum + cells + 2, 0);
  const room = width - besides;
  const isBeside = room >= leastLast;
  return rows.flatMap((row) => {
    const cells = row.slice(0, count);
    const last = row[count] ?? "";
    const fits = isBeside && cells.every((cell, column) => visibleWidth(cell) <= (widths[column] ?? 0));
    const lead = `${indent}${cells.map((cell, column) => padded(cell, fits ? (widths[column] ?? 0) : 0)).join("  ")}`;
    if (fits && last !== "") {
      const lines = hanging(last, { first: "", rest: "", width: room });
      return lines.map((line, index) => `${index === 0 ? `${lead}  ` : " ".repeat(besides)}${line}`);
    }
    const below = isBeside ? " ".repeat(besides) : `${indent}  `;
    return [
      ...wrapTextWithAnsi(lead.trimEnd(), width),
      ...(last === "" ? [] : hanging(last, { first: below, width })),
    ];
  });
}

function padded(cell: string, width: number): string {
  return `${cell}${" ".repeat(Math.max(0, width - visibleWidth(cell)))}`;
}
