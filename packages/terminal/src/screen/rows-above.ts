export interface Place {
  readonly row: number;
  readonly column: number;
}

/** After a terminal has rewrapped the rows, the cursor is still at its character. */
export function rowsAbove(cells: readonly number[], { row, column }: Place, width: number): number {
  const above = cells.slice(0, row).reduce((sum, count) => sum + rowsOf(count, width), 0);
  return above + Math.floor(column / width);
}

/**
 * xterm.js moves the cursor down for each added row, even below it, and does not rewrap the row that the cursor has
 * reached by then: https://github.com/xtermjs/xterm.js/blob/6.0.0/src/common/buffer/Buffer.ts (`_reflowSmaller`)
 */
export function rowsAboveInXtermJs(cells: readonly number[], { row }: Place, width: number): number {
  let at = row;
  for (const [index, count] of [...cells.entries()].toReversed()) if (index !== at) at += rowsOf(count, width) - 1;
  return at;
}

function rowsOf(cells: number, width: number): number {
  return Math.max(1, Math.ceil(cells / width));
}
