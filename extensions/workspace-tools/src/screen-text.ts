/** Moves beyond them start a new row. */
const maxRows = 200;
/** In UTF-16 units: each change costs the row's length. */
const maxRowLength = 4_096;

/** Maximum total padding, so that a few bytes cannot produce millions of spaces. */
const maxPadding = 1_048_576;

const control =
  // oxlint-disable-next-line no-control-regex -- these are the characters that it looks for
  /\x1b\[([0-?]*)[ -/]*([@-~])?|\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]|\x1b|[\r\n\x07\x08]/g;

/** Returns the final text of an output: redrawn rows once, without colours. Keeps tabs and other control characters. */
export function screenText(output: string): string {
  // oxlint-disable-next-line no-control-regex -- these are the characters that it looks for
  if (!/[\x1b\r\x07\x08]/.test(output)) return output;
  const screen = new Screen();
  let from = 0;
  for (const found of output.matchAll(control)) {
    screen.write(output.slice(from, found.index));
    screen.obey(found);
    from = found.index + found[0].length;
  }
  screen.write(output.slice(from));
  return screen.text;
}

class Screen {
  readonly #done: string[] = [];
  readonly #rows: string[] = [""];
  #row = 0;
  #column = 0;
  #padding = maxPadding;

  get text(): string {
    return [...this.#done, ...this.#rows].join("\n");
  }

  write(text: string): void {
    if (text === "") return;
    const row = this.#rows[this.#row] ?? "";
    this.#rows[this.#row] =
      this.#column >= row.length
        ? row.padEnd(this.#column) + text
        : row.slice(0, this.#column) + text + row.slice(this.#column + text.length);
    this.#column += text.length;
  }

  obey([all, parameters, final]: readonly (string | undefined)[]): void {
    if (all === "\n") this.#toRow(this.#row + 1, 0);
    else if (all === "\r") this.#toColumn(0);
    else if (all === "\b") this.#toColumn(this.#column - 1);
    else if (final !== undefined) this.#move(final, Number.parseInt(parameters ?? "", 10));
  }

  /** https://en.wikipedia.org/wiki/ANSI_escape_code#Control_Sequence_Introducer_commands */
  #move(final: string, given: number): void {
    const count = Math.max(1, given || 0);
    switch (final) {
      case "A":
      case "F":
        return this.#toRow(this.#row - count, final === "A" ? this.#column : 0);
      case "B":
      case "E":
        return this.#toRow(Math.min(this.#row + count, this.#rows.length - 1), final === "B" ? this.#column : 0);
      case "C":
        return this.#toColumn(this.#column + count);
      case "D":
        return this.#toColumn(this.#column - count);
      case "G":
        return this.#toColumn(count - 1);
      case "J":
        if ((given || 0) === 0) this.#rows.splice(this.#row + 1);
        return this.#erase(given || 0);
      case "K":
        return this.#erase(given || 0);
    }
  }

  #erase(part: number): void {
    const row = this.#rows[this.#row] ?? "";
    if (row.length > maxRowLength) return;
    this.#rows[this.#row] =
      part === 0
        ? row.slice(0, this.#column)
        : part === 1
          ? " ".repeat(this.#column) + row.slice(this.#column)
          : "";
  }

  #toColumn(column: number): void {
    const { length } = this.#rows[this.#row] ?? "";
    // A row that exceeds the redraw limit continues on the next row.
    if (length > maxRowLength && column < length) this.#toRow(this.#row + 1, 0);
    else {
      const padding = Math.max(0, Math.min(column, maxRowLength) - length);
      this.#column = padding > this.#padding ? length : Math.max(0, Math.min(column, length + padding));
      if (padding <= this.#padding) this.#padding -= padding;
    }
  }

  #toRow(row: number, column: number): void {
    this.#row = Math.max(0, row);
    this.#column = 0;
    if (this.#row < this.#rows.length) {
      if (column > 0) this.#toColumn(column);
      return;
    }
    this.#rows.push("");
    if (this.#rows.length <= maxRows) return;
    this.#done.push(this.#rows.shift() ?? "");
    this.#row -= 1;
  }
}
