export const pasteMode = { on: "\u001B[?2004h", off: "\u001B[?2004l" } as const;

const begin = "\u001B[200~";
const end = "\u001B[201~";

export interface TypedPiece {
  readonly isPasted: boolean;
  readonly text: string;
}

/** Finds pasted text in terminal input, which may be split anywhere. */
export class PastedPieces {
  #isPasted = false;
  #held = "";

  /** Holds back a possible partial mark. */
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

/** A lone Escape therefore waits for the next key. */
function halfOf(mark: string, text: string): number {
  let length = mark.length - 1;
  while (!text.endsWith(mark.slice(0, length))) length -= 1;
  return length;
}
