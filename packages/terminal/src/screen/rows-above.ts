export interface Place {
  readonly row: number;
  readonly column: number;
}

/** How far above the cursor rows of so many cells begin, once a terminal has wrapped them anew; the cursor stays at its character. */
export function rowsAbove(cells: readonly number[], { row, column }: Place, width: number): number {
  const above = cells.slice(0, row).reduce((sum, count) => sum + rowsOf(count, width), 0);
  return above + Math.floor(column / width);
}

/**
 * The same in a terminal that is made of xterm.js: it moves the cursor down by a row for each that it adds, also for those that
 * it adds below, and leaves the row as it is that the cursor has come to by then.
 * https://github.com/xtermjs/xterm.js/blob/6.0.0/src/common/buffer/Buffer.ts (`_reflowSmaller`)
 */
export function rowsAboveInXtermJs(cells: readonly number[], { row }: Place, width: number): number {
  let at = row;
  for (const [index, count] of [...cells.entries()].toReversed()) if (index !== at) at += rowsOf(count, width) - 1;
  return at;
}

function rowsOf(cells: number, width: number): number {
  return Math.max(1, Math.ceil(cells / width));
}
