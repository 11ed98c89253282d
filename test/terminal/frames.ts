import { Terminal, type IBuffer } from "@xterm/headless";
import { graphemeWidths } from "./grapheme-widths.ts";

/** DEC private mode 2026: output between the marks is displayed atomically. */
const synchronized = /\u001B\[\?2026h([\s\S]*?)\u001B\[\?2026l/g; // oxlint-disable-line no-control-regex -- they are looked for

interface Size {
  readonly columns: number;
  readonly rows: number;
}

interface FramesOptions extends Size {
  readonly from: number;
}

/** Rows are numbered from the very first one, including scrolled-off rows. */
export interface Frame {
  readonly rows: readonly number[];
  readonly rowsForNothing: readonly number[];
  readonly changedCells: number;
  readonly sameCells: number;
  /** Cleared and then rewritten identically, which flickers on terminals without synchronized output. */
  readonly clearedForNothing: number;
  /**
   * Blank in the previous frame and restored to the frame before it; only runs of at least three, since single
   * letters may coincide.
   */
  readonly cameBack: number;
  readonly screen: ReadonlyMap<number, string>;
}

type Look = (row: number, column: number) => string | undefined;

const blank = " ";
const leastRun = 3;
/** Concealed text, which no tested program writes. */
const sentinel = { begin: "\u001B[8m", end: "\u001B[28m", text: "?" } as const;

/**
 * Draws each frame twice: on the previous screen, to compare its look, and on a screen full of a sentinel, to find
 * the written cells.
 */
export async function framesOf(bytes: string, { columns, rows, from }: FramesOptions): Promise<readonly Frame[]> {
  const screen = newTerminal({ columns, rows });
  const paper = newTerminal({ columns, rows });
  const cleared = watchClearing(paper);
  const frames: Frame[] = [];
  let at = 0;
  let [older, before] = [lookOf(screen), lookOf(screen)];
  for (const match of bytes.matchAll(synchronized)) {
    await write(screen, bytes.slice(at, match.index));
    at = match.index + match[0].length;
    if (match.index < from) {
      await write(screen, match[0]);
      [older, before] = [before, lookOf(screen)];
      continue;
    }
    const base = screen.buffer.active.baseY;
    const paperBase = await cover(paper, screen);
    cleared.clear();
    await Promise.all([write(screen, match[0]), write(paper, match[0])]);
    const touched = touchedCells(paper, { base: paperBase, columns }).map(({ row, column }) => ({
      row: row - paperBase + base,
      column,
    }));
    const after = lookOf(screen);
    const isSame = ({ row, column }: Cell): boolean => (before(row, column) ?? blank) === after(row, column);
    const same = touched.filter(isSame);
    const touchedRows = [...new Set(touched.map(({ row }) => row))];
    const changedRows = new Set(touched.filter((cell) => !isSame(cell)).map(({ row }) => row));
    frames.push({
      rows: touchedRows,
      rowsForNothing: touchedRows.filter((row) => !changedRows.has(row)),
      changedCells: touched.length - same.length,
      sameCells: same.length,
      clearedForNothing: [...cleared.values()]
        .map(({ row, column }) => ({ row: row - paperBase + base, column }))
        .filter((cell) => isSame(cell) && after(cell.row, cell.column) !== blank).length,
      cameBack: cameBack({ older, before, after }, screen),
      screen: textOf(screen),
    });
    [older, before] = [before, after];
  }
  screen.dispose();
  paper.dispose();
  return frames;
}

interface Cell {
  readonly row: number;
  readonly column: number;
}

function newTerminal({ columns, rows }: Size): Terminal {
  const terminal = new Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true });
  terminal.unicode.register(graphemeWidths);
  terminal.unicode.activeVersion = graphemeWidths.version;
  return terminal;
}

async function write(terminal: Terminal, text: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  terminal.write(text, resolve);
  await promise;
}

async function cover(paper: Terminal, { buffer: { active } }: Terminal): Promise<number> {
  const { begin, end, text } = sentinel;
  const full = Array.from({ length: paper.rows }, (_, row) => `\u001B[${row + 1};1H${text.repeat(paper.cols)}`);
  const column = Math.min(active.cursorX, paper.cols - 1);
  await write(paper, `${begin}${full.join("")}${end}\u001B[${active.cursorY + 1};${column + 1}H`);
  return paper.buffer.active.baseY;
}

/** Rows that only scrolled in do not count. */
function touchedCells(paper: Terminal, { base, columns }: { base: number; columns: number }): readonly Cell[] {
  const { active } = paper.buffer;
  const touched: Cell[] = [];
  for (let row = base; row < active.baseY + paper.rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      const cell = active.getLine(row)?.getCell(column);
      const isNew = row >= base + paper.rows;
      const isTouched = isNew ? (cell?.getChars() ?? "").trim() !== "" : cell?.isInvisible() === 0;
      if (isTouched) touched.push({ row, column });
    }
  return touched;
}

/** From the cursor to the end of the row (EL 0) or screen (ED 0), or completely. */
function watchClearing(paper: Terminal): Map<string, Cell> {
  const cleared = new Map<string, Cell>();
  const clear = (isScreen: boolean, mode: number): false => {
    const { baseY, cursorX, cursorY } = paper.buffer.active;
    const first = mode === 0 ? cursorY : isScreen ? 0 : cursorY;
    const last = isScreen ? paper.rows - 1 : cursorY;
    for (let y = first; y <= last; y += 1)
      for (let column = mode === 0 && y === cursorY ? cursorX : 0; column < paper.cols; column += 1)
        cleared.set(`${baseY + y},${column}`, { row: baseY + y, column });
    return false;
  };
  paper.parser.registerCsiHandler({ final: "J" }, ([mode]) => clear(true, Number(mode ?? 0)));
  paper.parser.registerCsiHandler({ final: "K" }, ([mode]) => clear(false, Number(mode ?? 0)));
  return cleared;
}

function lookOf(terminal: Terminal): Look {
  const first = terminal.buffer.active.baseY;
  const rows = Array.from({ length: terminal.rows }, (_, row) =>
    rowLook(terminal.buffer.active, first + row, terminal.cols),
  );
  return (row, column) => rows[row - first]?.[column];
}

function rowLook(buffer: IBuffer, row: number, columns: number): readonly string[] {
  return Array.from({ length: columns }, (_, column) => {
    const cell = buffer.getLine(row)?.getCell(column);
    if (cell === undefined) return blank;
    const text = cell.getChars() === "" ? blank : cell.getChars();
    const background =
      cell.isBgDefault() && cell.isInverse() === 0 ? "" : `${cell.getBgColor()},${cell.isInverse()}`;
    if (text === blank && background === "" && cell.isUnderline() === 0) return blank;
    return [
      text,
      cell.getFgColorMode(),
      cell.getFgColor(),
      background,
      cell.isBold(),
      cell.isDim(),
      cell.isItalic(),
      cell.isUnderline(),
    ].join("|");
  });
}

function cameBack(
  looks: Readonly<Record<"older" | "before" | "after", Look>>,
  { buffer, rows, cols }: Terminal,
): number {
  const { older, before, after } = looks;
  let count = 0;
  for (let row = buffer.active.baseY; row < buffer.active.baseY + rows; row += 1) {
    let run = 0;
    for (let column = 0; column <= cols; column += 1) {
      const now = after(row, column);
      const isBack =
        now !== undefined && now !== blank && before(row, column) === blank && older(row, column) === now;
      if (isBack) run += 1;
      else {
        count += run < leastRun ? 0 : run;
        run = 0;
      }
    }
  }
  return count;
}

function textOf(terminal: Terminal): ReadonlyMap<number, string> {
  const { active } = terminal.buffer;
  return new Map(
    Array.from({ length: terminal.rows }, (_, row) => [
      active.baseY + row,
      active.getLine(active.baseY + row)?.translateToString(true) ?? "",
    ]),
  );
}
