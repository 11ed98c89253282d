/** What a terminal puts around what is pasted, once it was asked to. */
export const pasteMode = { on: "\u001B[?2004h", off: "\u001B[?2004l" } as const;

const begin = "\u001B[200~";
const end = "\u001B[201~";

export interface TypedPiece {
  readonly isPasted: boolean;
  readonly text: string;
}

/** Tells apart what was typed and what was pasted, wherever the input is cut. */
export class PastedPieces {
  #isPasted = false;
  #held = "";

  /** The pieces in their order; what may be half of a mark waits for the rest of it. */
  take(input: string): readonly TypedPiece[] {
    const pieces: TypedPiece[] = [];
    let rest = this.#held + input;
    for (;;) {
      const mark = this.#isPasted ? end : begin;
      const at = rest.indexOf(mark);
      const text = at === -1 ? rest.slice(0, rest.length - halfOf(mark, rest)) : rest.slice(0, at);
      if (text !== "") pieces.push({ isPasted: this.#isPasted, text });
      rest = rest.slice(at === -1 ? text.length : at + mark.length);
      if (at === -1) break;
      this.#isPasted = !this.#isPasted;
    }
    this.#held = rest;
    return pieces;
  }
}

/** How much of the mark the text ends with. So the key Escape, alone, waits for the next one. */
function halfOf(mark: string, text: string): number {
  let length = mark.length - 1;
  while (!text.endsWith(mark.slice(0, length))) length -= 1; // Each text ends with nothing.
  return length;
}
