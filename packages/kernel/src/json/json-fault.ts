/** Offsets count UTF-16 code units. */
export interface JsonFault {
  readonly offset: number;
  /** Line and column start at 1. */
  readonly line: number;
  readonly column: number;
}

const literals = ["true", "false", "null"] as const;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** Matches up to the end of the string or its first error. */
const string = /"(?:[\x20\x21\x23-\x5b\x5d-\uffff]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;

/**
 * Returns the first position where a text is invalid JSON (RFC 8259): this runtime's `JSON.parse` reports no
 * position. Scans once, without recursion.
 */
export function findJsonFault(text: string): JsonFault | undefined {
  const offset = new Scanner(text).scan();
  if (offset === undefined) return undefined;
  const before = text.slice(0, offset);
  return { offset, line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}

type Expected = "value" | "value-or-end" | "key" | "key-or-end" | "colon" | "comma-or-end";

class Scanner {
  readonly #text: string;
  #offset = 0;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): number | undefined {
    const text = this.#text;
    const open: ("[" | "{")[] = [];
    let expected: Expected = "value";
    for (;;) {
      this.#skipSpace();
      const character = text[this.#offset];
      const around = open.at(-1);
      if (expected === "comma-or-end" && around === undefined)
        return character === undefined ? undefined : this.#offset;
      const isEnd = character === (around === "[" ? "]" : "}") && around !== undefined;
      if (isEnd && (expected === "comma-or-end" || expected === "value-or-end" || expected === "key-or-end")) {
        open.pop();
        this.#offset += 1;
        expected = "comma-or-end";
      } else if (expected === "comma-or-end") {
        if (character !== ",") return this.#offset;
        this.#offset += 1;
        expected = around === "[" ? "value" : "key";
      } else if (expected === "colon") {
        if (character !== ":") return this.#offset;
        this.#offset += 1;
        expected = "value";
      } else if (expected === "key" || expected === "key-or-end") {
        if (!this.#skipString()) return this.#offset;
        expected = "colon";
      } else if (character === "[" || character === "{") {
        open.push(character);
        this.#offset += 1;
        expected = character === "[" ? "value-or-end" : "key-or-end";
      } else {
        if (!this.#skipScalar()) return this.#offset;
        expected = "comma-or-end";
      }
    }
  }

  #skipSpace(): void {
    while (" \t\n\r".includes(this.#text[this.#offset] ?? "x")) this.#offset += 1;
  }

  #skipScalar(): boolean {
    if (this.#text[this.#offset] === '"') return this.#skipString();
    const literal = literals.find((word) => this.#text.startsWith(word, this.#offset));
    if (literal === undefined) return this.#skip(number);
    this.#offset += literal.length;
    return true;
  }

  /** When `false`, the offset is at the error. */
  #skipString(): boolean {
    if (!this.#skip(string) || this.#text[this.#offset] !== '"') return false;
    this.#offset += 1;
    return true;
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#offset;
    if (!pattern.test(this.#text)) return false;
    this.#offset = pattern.lastIndex;
    return true;
  }
}
