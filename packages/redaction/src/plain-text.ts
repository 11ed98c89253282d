const backslash = 92;
const percent = 37;
const plus = 43;
const space = 32;
const lineFeed = 10;
const carriageReturn = 13;

/** Characters that may stand for others, or for nothing. */
const specialCodes = [backslash, percent, plus, lineFeed, carriageReturn];
const specialCharacters = specialCodes.map((code) => String.fromCharCode(code));
const special = new Uint8Array(65_536);
for (const code of specialCodes) special[code] = 1;

const escapes: ReadonlyMap<number, number> = new Map(
  Object.entries({ b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", '"': '"', "'": "'", "/": "/" }).map(
    ([letter, meant]) => [letter.charCodeAt(0), meant.charCodeAt(0)],
  ),
);

/** `%2525…`: encoded so often that nobody means it any more. */
const maxPercents = 4;

/**
 * No character takes more to be written: `%25252541`. Backslashes do not count: those in front of an escape are read alike from
 * any of them on. So who begins so many before a place has read what stands there as if from the beginning.
 */
export const longestWritten = 9;

/** Value of a unit that stands for nothing. */
export const nothing = -1;

/**
 * A place in a text, and what the characters from there on mean, one after the other, whatever they were put into: JSON, JSON in
 * JSON as deep as it goes, the escapes of programs, URLs and forms. Many texts mean the same then, on purpose: a backslash
 * more or less, a line break, `+` for a space make no difference.
 */
export class PlainText {
  readonly #text: string;
  /** Where the next one begins. */
  place: number;

  constructor(text: string, place: number) {
    this.#text = text;
    this.place = place;
  }

  /** The code of the next character, behind which `place` then is; `nothing` for what stands for none, such as the end of a line. */
  next(): number {
    const text = this.#text;
    const code = text.charCodeAt(this.place);
    this.place += 1;
    return isPlain(code) ? code : this.#meant(code);
  }

  #meant(code: number): number {
    if (code === backslash) return shown(this.#escaped());
    if (code === percent) return shown(this.#encoded());
    return shown(code);
  }

  #escaped(): number {
    const text = this.#text;
    while (text.charCodeAt(this.place) === backslash) this.place += 1;
    const letter = text.charCodeAt(this.place);
    const digits = letter === 117 ? 4 : letter === 120 ? 2 : 0; // \u0041, \x41
    const value = digits === 0 ? nothing : hexadecimal(text, { from: this.place + 1, digits });
    if (value !== nothing) {
      this.place += 1 + digits;
      return value;
    }
    const meant = escapes.get(letter);
    if (meant === undefined) return backslash;
    this.place += 1;
    return meant;
  }

  #encoded(): number {
    const text = this.#text;
    let value = hexadecimal(text, { from: this.place, digits: 2 });
    if (value === nothing) return percent;
    this.place += 2;
    for (let count = 1; value === percent && count < maxPercents; count += 1) {
      const inner = hexadecimal(text, { from: this.place, digits: 2 });
      if (inner === nothing) break;
      value = inner;
      this.place += 2;
    }
    return value;
  }
}

/** The whole of it. */
export function plainText(text: string): string {
  const reader = new PlainText(text, 0);
  const codes: number[] = [];
  while (reader.place < text.length) {
    const code = reader.next();
    if (code !== nothing) codes.push(code);
  }
  return codes.map((code) => String.fromCharCode(code)).join("");
}

/** Where runs of plain characters end in a text: asked from its beginning to its end. */
export class PlainRuns {
  readonly #text: string;
  /** Where each special character stands next. */
  readonly #next = specialCharacters.map(() => -1);

  constructor(text: string) {
    this.#text = text;
  }

  /** Place of the first special character at or behind a place; the text's length, where there is none. */
  endFrom(place: number): number {
    let end = this.#text.length;
    for (let index = 0; index < specialCharacters.length; index += 1) {
      let next = this.#next[index] ?? -1;
      if (next < place) {
        const found = this.#text.indexOf(specialCharacters[index] ?? "", place);
        next = found === -1 ? this.#text.length : found;
        this.#next[index] = next;
      }
      if (next < end) end = next;
    }
    return end;
  }
}

/** Whether a character is what it looks like. */
function isPlain(code: number): boolean {
  return special[code] !== 1;
}

function shown(code: number): number {
  if (code === lineFeed || code === carriageReturn) return nothing;
  return code === plus ? space : code;
}

function hexadecimal(text: string, { from, digits }: { readonly from: number; readonly digits: number }): number {
  let value = 0;
  for (let place = from; place < from + digits; place += 1) {
    const digit = digitOf(text.charCodeAt(place));
    if (digit === nothing) return nothing;
    value = value * 16 + digit;
  }
  return value;
}

function digitOf(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : nothing;
}
