import {
  type Markdown,
  sliceByColumn,
  stripTerminalSequences,
  visibleWidth,
  type Component,
  type Tokens,
} from "@earendil-works/pi-tui";
import { Block } from "./block.ts";

/** Returns whether a table has right or centred columns, which the library does not support. */
export function isAligned(table: Tokens.Table): boolean {
  return table.align.some((side) => side === "right" || side === "center");
}

export function alignedTable({ align, raw }: Tokens.Table, drawn: (markdown: string) => Markdown): Component {
  const table = drawn(raw);
  return new Block((width) => {
    const rows = table.render(width);
    const top = stripTerminalSequences(rows[0] ?? "");
    if (!top.startsWith("┌")) return rows; // Too narrow for a table.
    const columns = top
      .trimEnd()
      .slice(1, -1)
      .split("┬")
      .map(({ length }) => length - 2);
    return rows.map((row) => (stripTerminalSequences(row).startsWith("│") ? alignedRow(row, columns, align) : row));
  });
}

function alignedRow(row: string, columns: readonly number[], align: Tokens.Table["align"]): string {
  let at = 2;
  const cells = columns.map((cells, index) => {
    const cell = alignedCell(sliceByColumn(row, at, cells), cells, align[index]);
    at += cells + 3;
    return cell;
  });
  return `│ ${cells.join(" │ ")} │`;
}

function alignedCell(cell: string, cells: number, side: Tokens.Table["align"][number] | undefined): string {
  const free = cells - visibleWidth(stripTerminalSequences(cell).trimEnd());
  const before = side === "right" ? free : side === "center" ? Math.floor(free / 2) : 0;
  return " ".repeat(before) + closed(sliceByColumn(cell, 0, cells - free)) + " ".repeat(free - before);
}

function closed(text: string): string {
  const link = text.includes("\u001B]8;") ? "\u001B]8;;\u001B\\" : "";
  return text.includes("\u001B[") ? `${text}${link}\u001B[0m` : text + link;
}
