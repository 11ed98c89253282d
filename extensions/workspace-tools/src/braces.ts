/** Larger patterns are unlikely to be meant, and slow to compare. */
const maxAlternatives = 100;

/**
 * `a.{b,c{d,e}}` becomes `a.b`, `a.cd` and `a.ce`. After a backslash and in a set such as `[{]`, a brace is literal.
 * Asterisks that become adjacent are merged: `{a,*}*` is not `**`.
 * @throws {Error} with a message that follows the word "pattern".
 */
export function withoutBraces(pattern: string): readonly string[] {
  return new BraceReader(pattern).read();
}

const asterisks = /^\*+$/;
/** Parts of an expanded pattern; asterisks that are adjacent in the source form one part. */
type Pieces = readonly string[];

class BraceReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): readonly string[] {
    return this.#sequence((character) => character === "").map(toText);
  }

  #sequence(isEnd: (character: string) => boolean): readonly Pieces[] {
    let made: readonly Pieces[] = [[]];
    for (let next = this.#text.charAt(this.#at); !isEnd(next); next = this.#text.charAt(this.#at)) {
      if (next === "") throw new Error("has a { without its }; write \\{ for the letter itself");
      const parts = next === "{" ? this.#group() : [[this.#piece()]];
      made = made.flatMap((before) => parts.map((part) => [...before, ...part]));
      checkCount(made);
    }
    return made;
  }

  #group(): readonly Pieces[] {
    const parts: Pieces[] = [];
    do {
      this.#at += 1;
      parts.push(...this.#sequence((character) => character === "," || character === "}"));
      checkCount(parts);
    } while (this.#text.charAt(this.#at) === ",");
    this.#at += 1;
    return parts;
  }

  #piece(): string {
    const rest = this.#text.slice(this.#at);
    const piece = /^(?:\*+|\[[!^]?\]?[^\]/]*\]|\\?.|\\)/su.exec(rest)?.[0] ?? rest;
    this.#at += piece.length;
    return piece;
  }
}

function toText(pieces: Pieces): string {
  const isSecond = (index: number): boolean => asterisks.test(pieces[index - 1] ?? "");
  return pieces
    .map((piece, index) => {
      if (!asterisks.test(piece)) return piece;
      if (isSecond(index)) return "";
      return asterisks.test(pieces[index + 1] ?? "") ? "*" : piece;
    })
    .join("");
}

function checkCount(made: readonly Pieces[]): void {
  if (made.length > maxAlternatives)
    throw new Error(`stands for more than ${maxAlternatives} patterns; write fewer alternatives in braces`);
}
