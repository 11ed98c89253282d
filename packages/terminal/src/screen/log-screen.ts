import {
  Container,
  TuiMainScreen,
  truncateToWidth,
  visibleWidth,
  type Component,
  type Terminal,
} from "@earendil-works/pi-tui";
import type { Stage } from "./stage.ts";

/** DEC private mode 2026: the terminal shows the output between the two in one update. */
const frame = { begin: "\u001B[?2026h", end: "\u001B[?2026l" } as const;

/**
 * Printed lines belong to the terminal, with its scrollback, selection, search and wrapping. Only changed rows of the
 * area below are redrawn.
 */
export class LogScreen extends TuiMainScreen implements Stage {
  readonly bottom = new Container();
  beforeFrame = (): void => {};
  readonly #printed: Component[] = [];
  #rows: readonly string[] = [];
  #at: Place = { row: 0, column: 0 };
  #width = 0;
  readonly #isXtermJs: () => boolean;

  /** @param options `isXtermJs` is `false` until known. */
  constructor(terminal: Terminal, { isXtermJs = () => false }: { readonly isXtermJs?: () => boolean } = {}) {
    super(terminal);
    this.#isXtermJs = isXtermJs;
    this.addChild(this.bottom);
  }

  print(block: Component): void {
    this.#printed.push(block);
    this.requestRender();
  }

  forget(): void {
    this.resetRenderState();
  }

  protected override resetRenderState(): void {
    this.#rows = [];
    this.#at = { row: 0, column: 0 };
    this.#width = 0;
  }

  protected override doRender(): void {
    if (!this.stopped) this.#draw();
  }

  #draw(): void {
    this.beforeFrame();
    const { columns: width, rows: height } = this.terminal;
    const begin = this.#width !== 0 && this.#width !== width ? this.#clearResized(width, height) : "";
    this.#width = width;
    const log = this.#printed.splice(0).flatMap((block) => block.render(width));
    // Rows beyond the screen's height cannot be redrawn; the last ones matter most.
    const below = this.resolveFakeCursors(this.render(width)).slice(-height);
    const cursor = this.extractCursorPosition(below, height);
    const rows = this.applyLineResets([...log, ...below].map(withoutPadding));
    const changes = this.#changes(rows, width);
    this.#rows = rows.slice(log.length);
    this.#at = { row: this.#at.row - log.length, column: this.#at.column };
    const target = cursor ?? { row: Math.max(0, below.length - 1), column: 0 };
    const moved = this.#moveTo({ row: target.row, column: "col" in target ? target.col : target.column });
    const output = `${begin}${changes}${moved}`;
    if (output !== "") this.terminal.write(`${frame.begin}${output}${frame.end}`);
  }

  protected override beforeTerminalStop(): void {
    this.#flush();
    const { columns, rows } = this.terminal;
    const isResized = this.#width !== 0 && this.#width !== columns;
    const cleared = isResized
      ? this.#clearResized(columns, rows)
      : `${this.#moveTo({ row: 0, column: 0 })}\u001B[J`;
    this.terminal.write(cleared);
    this.resetRenderState();
  }

  #flush(): void {
    if (this.#printed.length > 0) this.#draw(); // The library considers itself stopped by then.
  }

  #changes(rows: readonly string[], width: number): string {
    const before = this.#rows;
    let output = "";
    let last = Math.max(0, before.length - 1);
    for (const [index, row] of rows.entries()) {
      if (index < before.length && row === before[index]) continue;
      if (index > last) {
        output += `${this.#moveTo({ row: last, column: this.#at.column })}${"\r\n".repeat(index - last)}`;
        last = index;
        this.#at = { row: index, column: 0 };
      } else output += this.#moveTo({ row: index, column: 0 });
      const cells = Math.min(width, visibleWidth(row));
      const old = before[index];
      // At the last column there is nothing to clear, and clearing would delete the last character.
      output += truncateToWidth(row, width, "") + (cells < width && old !== undefined ? "\u001B[K" : "");
      this.#at = { row: index, column: Math.min(cells, width - 1) };
    }
    if (before.length > rows.length && before.length > 0) {
      output += `${this.#moveTo({ row: rows.length, column: 0 })}\u001B[J`;
    }
    return output;
  }

  #moveTo({ row, column }: Place): string {
    const at = this.#at;
    if (at.row === row && at.column === column) return "";
    this.#at = { row, column };
    const rows = row - at.row;
    const vertical = rows === 0 ? "" : rows > 0 ? `\u001B[${rows}B` : `\u001B[${-rows}A`;
    return `${vertical}\r${column === 0 ? "" : `\u001B[${column}C`}`;
  }

  /**
   * The terminal rewraps its rows and the cursor stays at its character, so rows are counted. In terminals that clip
   * instead of wrapping, this also clears some rows of the log.
   */
  #clearResized(width: number, height: number): string {
    const above = this.#isXtermJs() ? rowsAboveInXtermJs : rowsAbove;
    const up = Math.min(height - 1, above(this.#rows.map(visibleWidth), this.#at, width));
    this.resetRenderState();
    return `${up === 0 ? "" : `\u001B[${up}A`}\r\u001B[J`;
  }
}

interface Place {
  readonly row: number;
  readonly column: number;
}

/** After a terminal has rewrapped the rows, the cursor is still at its character. */
function rowsAbove(cells: readonly number[], { row, column }: Place, width: number): number {
  const above = cells.slice(0, row).reduce((sum, count) => sum + rowsOf(count, width), 0);
  return above + Math.floor(column / width);
}

/**
 * xterm.js moves the cursor down for each added row, even below it, and does not rewrap the row that the cursor has
 * reached by then: https://github.com/xtermjs/xterm.js/blob/6.0.0/src/common/buffer/Buffer.ts (`_reflowSmaller`)
 */
function rowsAboveInXtermJs(cells: readonly number[], { row }: Place, width: number): number {
  let at = row;
  for (const [index, count] of [...cells.entries()].toReversed()) if (index !== at) at += rowsOf(count, width) - 1;
  return at;
}

function rowsOf(cells: number, width: number): number {
  return Math.max(1, Math.ceil(cells / width));
}

const colours = /^\u001B\[[0-9;]*m$/; // oxlint-disable-line no-control-regex -- they are looked for
/** Matches a background, an underline or inverse, which make spaces visible. */
const seenSpaces = /\u001B\[(?:[0-9;]*;)?(?:4|7|4[0-8]|10[0-7])(?:;[0-9;]*)?m/; // oxlint-disable-line no-control-regex -- as above

/** Terminals keep padding as text: it would be copied, and wrapped into empty rows in a narrower window. */
export function withoutPadding(row: string): string {
  let end = row.length;
  let kept = "";
  for (;;) {
    if (row[end - 1] === " ") {
      end -= 1;
      continue;
    }
    const begin = row[end - 1] === "m" ? row.lastIndexOf("\u001B", end - 1) : -1;
    const last = begin === -1 ? "" : row.slice(begin, end);
    if (!colours.test(last)) break;
    kept = last + kept;
    end = begin;
  }
  return end + kept.length === row.length || seenSpaces.test(row) ? row : row.slice(0, end) + kept;
}
