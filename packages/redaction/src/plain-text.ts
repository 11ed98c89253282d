const backslash = 92;
const percent = 37;
const ampersand = 38;
const plus = 43;
const space = 32;
const lineFeed = 10;
const carriageReturn = 13;

/** May encode others, or be ignored. */
const specialCodes = [backslash, percent, ampersand, plus, lineFeed, carriageReturn];
const specialCharacters = specialCodes.map((code) => String.fromCharCode(code));
const special = new Uint8Array(65_536);
for (const code of specialCodes) special[code] = 1;

const escapes: ReadonlyMap<number, number> = new Map(
  Object.entries({ b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", '"': '"', "'": "'", "/": "/" }).map(
    ([letter, meant]) => [letter.charCodeAt(0), meant.charCodeAt(0)],
  ),
);

const references: ReadonlyMap<string, number> = new Map(
  Object.entries({ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", bsol: "\\", sol: "/", nbsp: "\u00a0" }).map(
    ([name, meant]) => [name, meant.charCodeAt(0)],
  ),
);
/** Between `&` and `;`: `#x0010ffff`. */
const maxReference = 10;

/** Nested encodings, including those of the secret itself. */
const maxDepth = 6;

/**
 * Decoding from this many UTF-16 units before an offset gives the same characters at the offset as decoding from
 * the start, for up to four nested encodings that write each character as `\u0000`.
 */
export const longestWritten = 1_296;

/** Value of a unit that encodes nothing and is ignored. */
export const nothing = -1;
const endOfText = -2;

/** Removes one level of encoding from the units that `peek` returns. */
abstract class Decoder {
  /** End offset, in the text, of the last unit read. */
  end = 0;

  abstract readonly isAhead: boolean;
  /** Returns the next unit but `index` of the source, or `endOfText`. */
  protected abstract peek(index: number): number;
  protected abstract drop(count: number): void;
  protected abstract insert(code: number): void;

  read(): number {
    const code = this.peek(0);
    this.drop(1);
    return this.meant(code);
  }

  protected meant(code: number): number {
    if (code === backslash) return this.#escaped();
    if (code === percent) return this.#hexadecimal(0, 2) ?? percent;
    if (code === ampersand) return this.#reference() ?? ampersand;
    return code;
  }

  #escaped(): number {
    while (this.peek(0) === backslash) this.drop(1);
    const letter = this.peek(0);
    const digits = letter === 117 ? 4 : letter === 120 ? 2 : 0; // \u0041, \x41
    if (digits > 0) return this.#hexadecimal(1, digits) ?? backslash;
    const meant = escapes.get(letter);
    if (meant === undefined) return backslash;
    this.drop(1);
    return meant;
  }

  #hexadecimal(from: number, digits: number): number | undefined {
    let value = 0;
    for (let index = from; index < from + digits; index += 1) {
      const digit = digitOf(this.peek(index));
      if (digit === nothing) return undefined;
      value = value * 16 + digit;
    }
    this.drop(from + digits);
    return value;
  }

  /** Decodes an HTML reference, such as `&amp;`, `&#92;` or `&#x5c;`. */
  #reference(): number | undefined {
    let name = "";
    for (let index = 0; ; index += 1) {
      const code = this.peek(index);
      if (code === 59) break;
      const mayBe = digitOf(code) !== nothing || isLetter(code) || (index === 0 && code === 35);
      if (!mayBe || index === maxReference) return undefined;
      name += String.fromCharCode(code);
    }
    const value = references.get(name) ?? numberIn(name);
    if (value === undefined || value > 0x10ffff) return undefined;
    this.drop(name.length + 1);
    if (value <= 0xffff) return value;
    const [high = "", low = ""] = String.fromCodePoint(value).split("");
    this.insert(low.charCodeAt(0));
    return high.charCodeAt(0);
  }
}

class TextDecoder extends Decoder {
  readonly #text: string;
  #inserted: number | undefined;

  constructor(text: string) {
    super();
    this.#text = text;
  }

  get isAhead(): boolean {
    return this.#inserted !== undefined;
  }

  startAt(place: number): void {
    this.end = place;
    this.#inserted = undefined;
  }

  override read(): number {
    const inserted = this.#inserted;
    this.#inserted = undefined;
    return inserted ?? super.read();
  }

  protected peek(index: number): number {
    const place = this.end + index;
    return place < this.#text.length ? this.#text.charCodeAt(place) : endOfText;
  }

  protected drop(count: number): void {
    this.end = Math.min(this.#text.length, this.end + count);
  }

  protected insert(code: number): void {
    this.#inserted = code;
  }
}

/** Lookahead of a decoder; a power of two. */
const maxAhead = 16;

/** Reads each source unit once, regardless of lookahead. */
class NestedDecoder extends Decoder {
  readonly #source: Decoder;
  /** Ring buffer of units in lookahead, with their end offsets. */
  readonly #codes = new Int32Array(maxAhead);
  readonly #ends = new Int32Array(maxAhead);
  #from = 0;
  #count = 0;

  constructor(source: Decoder) {
    super();
    this.#source = source;
  }

  get isAhead(): boolean {
    return this.#count > 0;
  }

  clear(): void {
    this.#count = 0;
  }

  /** Like `read`, for a unit just read from the source. */
  goOn(code: number): number {
    this.end = this.#source.end;
    return this.meant(code);
  }

  protected peek(index: number): number {
    for (; this.#count <= index; this.#count += 1) {
      const at = (this.#from + this.#count) & (maxAhead - 1);
      this.#codes[at] = this.#source.read();
      this.#ends[at] = this.#source.end;
    }
    return this.#codes[(this.#from + index) & (maxAhead - 1)] ?? nothing;
  }

  protected drop(count: number): void {
    this.end = this.#ends[(this.#from + count - 1) & (maxAhead - 1)] ?? this.end;
    this.#from = (this.#from + count) & (maxAhead - 1);
    this.#count -= count;
  }

  protected insert(code: number): void {
    this.#from = (this.#from - 1) & (maxAhead - 1);
    this.#codes[this.#from] = code;
    this.#ends[this.#from] = this.end;
    this.#count += 1;
  }
}

/**
 * Decodes characters from an offset of a text in any encodings: JSON, JSON in JSON, escapes of programming languages,
 * URLs, forms, HTML, and combinations. Ambiguous by design: backslashes, line breaks, and `+` for a space are
 * equivalent to their absence.
 */
export class PlainText {
  readonly #text: string;
  readonly #first: TextDecoder;
  readonly #others: NestedDecoder[] = [];
  #place: number;
  #isAhead = false;

  constructor(text: string, place: number) {
    this.#text = text;
    this.#first = new TextDecoder(text);
    this.#place = place;
  }

  get place(): number {
    return this.#place;
  }

  set place(place: number) {
    if (place === this.#place) return;
    this.#place = place;
    if (this.#isAhead) for (const decoder of this.#others) decoder.clear();
    this.#isAhead = false;
  }

  /** Continuing then costs less than starting again. */
  get isAhead(): boolean {
    return this.#isAhead;
  }

  /** `nothing` for ignored characters, such as line ends. */
  next(): number {
    if (this.#isAhead) return this.#decoded();
    const code = this.#text.charCodeAt(this.#place);
    if (!isIntroducer(code)) {
      this.#place += 1;
      return isPlain(code) ? code : shown(code);
    }
    if (code === backslash) return this.#escaped() ?? this.#decoded();
    // Operator in source code.
    const isPair = code === ampersand && this.#text.charCodeAt(this.#place + 1) === ampersand;
    if (!isPair && this.#mayGoOn(code, this.#place + 1)) return this.#decoded();
    this.#place += 1;
    return code;
  }

  /** Fast path for most backslashes: `\n`, `\"` and the like. */
  #escaped(): number | undefined {
    let place = this.#place + 1;
    while (this.#text.charCodeAt(place) === backslash) place += 1;
    const meant = escapes.get(this.#text.charCodeAt(place));
    if (meant === undefined) return undefined;
    this.#place = place + 1;
    return shown(meant);
  }

  #decoded(): number {
    let depth = this.#others.length;
    if (this.#isAhead) while (depth > 0 && this.#others[depth - 1]?.isAhead !== true) depth -= 1;
    else {
      depth = 0;
      this.#first.startAt(this.#place);
    }
    const decoder = depth === 0 ? this.#first : this.#nested(depth - 1);
    let code = decoder.read();
    let { end } = decoder;
    // Most escapes decode to a character that starts no other escape, so one level suffices.
    while (isIntroducer(code) && depth < maxDepth - 1 && this.#mayGoOn(code, end)) {
      const nested = this.#nested(depth);
      code = nested.goOn(code);
      ({ end } = nested);
      depth += 1;
    }
    this.#place = end;
    this.#isAhead = this.#first.isAhead;
    for (let index = 0; index < this.#others.length && !this.#isAhead; index += 1)
      this.#isAhead = this.#nested(index).isAhead;
    return shown(code);
  }

  #mayGoOn(introducer: number, place: number): boolean {
    const code = this.#text.charCodeAt(place);
    if (isIntroducer(code)) return true;
    if (introducer === percent) return digitOf(code) !== nothing;
    if (introducer === backslash) return escapes.has(code) || code === 117 || code === 120;
    return isLetter(code) || code === 35;
  }

  #nested(index: number): NestedDecoder {
    const known = this.#others[index];
    if (known !== undefined) return known;
    const made = new NestedDecoder(this.#others[index - 1] ?? this.#first);
    this.#others.push(made);
    return made;
  }
}

export function plainText(text: string): string {
  const reader = new PlainText(text, 0);
  const codes: number[] = [];
  while (reader.place < text.length) {
    const code = reader.next();
    if (code !== nothing) codes.push(code);
  }
  return codes.map((code) => String.fromCharCode(code)).join("");
}

export class PlainRuns {
  readonly #text: string;
  /** Query in ascending order. */
  readonly #next = specialCharacters.map(() => -1);

  constructor(text: string) {
    this.#text = text;
  }

  /** First special character at or after `place`, or the text's length. */
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

function isPlain(code: number): boolean {
  return special[code] !== 1;
}

function isIntroducer(code: number): boolean {
  return code === backslash || code === percent || code === ampersand;
}

function shown(code: number): number {
  // Encoders put redundant backslashes before many characters, and lose them where a run ends in an escape.
  if (code === lineFeed || code === carriageReturn || code === backslash) return nothing;
  return code === plus ? space : code;
}

function isLetter(code: number): boolean {
  const small = code | 32;
  return small >= 97 && small <= 122;
}

/** Parses `#92` or `#x5c`. */
function numberIn(name: string): number | undefined {
  const [, hexadecimal, decimal] = /^#(?:[xX]([0-9a-fA-F]+)|([0-9]+))$/.exec(name) ?? [];
  if (hexadecimal !== undefined) return Number.parseInt(hexadecimal, 16);
  return decimal === undefined ? undefined : Number.parseInt(decimal, 10);
}

function digitOf(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : nothing;
}
