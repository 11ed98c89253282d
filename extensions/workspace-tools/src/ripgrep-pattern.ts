/** A character of a text, also a byte that is no UTF-8, which a text has as U+FFFD. */
const broken = String.raw`(?-u:[\x80-\xFF])`;
const anything = String.raw`(?:[^\n]|${broken})`;

/** What RE2 means by them; ripgrep's own have all of Unicode. */
const asciiClasses: ReadonlyMap<string, string> = new Map([
  ["d", "0-9"],
  ["w", "0-9A-Za-z_"],
  ["s", String.raw`\t\n\f\r `],
]);
const controls: ReadonlyMap<string, number> = new Map([
  ["a", 7],
  ["t", 9],
  ["v", 11],
  ["f", 12],
  ["r", 13],
]);

/**
 * An expression for ripgrep that fits each line that a valid RE2 expression fits; it may fit others too. `undefined`: there
 * is none that is known to.
 *
 * The two agree on the form and differ in what parts mean: `\d` is ASCII for the one and Unicode for the other, `$` stands
 * before a `\r` or behind it, a class may hold a class. Each part is written anew, so that it means the same.
 */
export function toRipgrepPattern(pattern: string): string | undefined {
  if (!pattern.isWellFormed() || /[\0\uFFFD]/.test(pattern)) return undefined;
  const reader = new Reader(pattern);
  let written = "";
  let [hasEnd, hasPlace] = [false, false];
  while (!reader.isAtEnd) {
    const part = readPart(reader);
    if (part === undefined) return undefined;
    const isPlace = places.has(part);
    // The end of a line passes its `\r`, behind which no other place is the same.
    if (hasEnd && isPlace) return undefined;
    hasEnd ||= part === atEnd;
    hasPlace ||= isPlace;
    written += part;
  }
  // Repeated, the first of them comes behind the last.
  return hasEnd && hasPlace && pattern.includes("){") ? undefined : written;
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** The next character, whole; `""` at the end. */
  take(): string {
    const code = this.#text.codePointAt(this.#at);
    if (code === undefined) return "";
    const character = String.fromCodePoint(code);
    this.#at += character.length;
    return character;
  }

  /** What fits from here on, which is passed then. @param expected Sticky. */
  match(expected: RegExp): RegExpExecArray | undefined {
    expected.lastIndex = this.#at;
    const found = expected.exec(this.#text);
    if (found === null) return undefined;
    this.#at += found[0].length;
    return found;
  }

  has(text: string): boolean {
    return this.#text.startsWith(text, this.#at);
  }

  /** All up to a text, which is passed too; to the end where there is none. */
  takeUntil(end: string): string {
    const found = this.#text.indexOf(end, this.#at);
    const taken = this.#text.slice(this.#at, found === -1 ? undefined : found);
    this.#at += taken.length + (found === -1 ? 0 : end.length);
    return taken;
  }
}

function readPart(reader: Reader): string | undefined {
  const repeat = reader.match(/\{\d+(?:,\d*)?\}/y);
  if (repeat !== undefined) return repeat[0];
  const group = reader.match(/\((?:\?P?<\w+>)?(?!\?)/y);
  if (group !== undefined) return "(";
  const flags = reader.match(/\(\?([imsU]*)(?:-([imsU]+))?([:)])/y);
  if (flags !== undefined) return writeFlags(flags);
  const character = reader.take();
  switch (character) {
    case "(":
      return undefined;
    case ".":
      return anything;
    case "$":
      return atEnd;
    case "[":
      return readSet(reader);
    case "\\":
      return readEscape(reader);
    default:
      return ")|*+?^".includes(character) ? character : literal(character);
  }
}

const atEnd = String.raw`(?:\x{D}?$)`;
/** Others that take no character. */
const places: ReadonlySet<string> = new Set(["^", String.raw`(?-u:\b)`, String.raw`(?-u:\B)`]);

/** A line is all that there is to look at, so that `m` says nothing. */
function writeFlags([, on = "", off = "", end = ""]: RegExpExecArray): string {
  const [kept, taken] = [on.replaceAll("m", ""), off.replaceAll("m", "")];
  const flags = `${kept}${taken === "" ? "" : `-${taken}`}`;
  return flags === "" && end === ")" ? "" : `(?${flags}${end}`;
}

function readEscape(reader: Reader): string | undefined {
  const name = reader.match(/p(?:\{\w+\}|\w)/iy);
  if (name !== undefined) return `(?:\\${name[0]}|${broken})`;
  const hex = readHex(reader);
  if (hex !== undefined) return literal(hex);
  const character = reader.take();
  const members = asciiClasses.get(character.toLowerCase());
  if (members !== undefined)
    return character === character.toLowerCase() ? `[${members}]` : `(?:[^${members}]|${broken})`;
  switch (character) {
    case "b":
    case "B":
      return `(?-u:\\${character})`;
    case "A":
      return "^";
    case "z":
      return atEnd;
    case "Q":
      return Array.from(reader.takeUntil(String.raw`\E`), literal).join("");
    default:
      return escaped(character);
  }
}

function escaped(character: string): string | undefined {
  const control = controls.get(character);
  if (control !== undefined) return literal(String.fromCodePoint(control));
  return /^[!-/:-@[-`{-~]$/.test(character) ? literal(character) : undefined;
}

function readHex(reader: Reader): string | undefined {
  const found = reader.match(/x(?:\{([0-9a-f]{1,6})\}|([0-9a-f]{2}))/iy);
  const code = found === undefined ? Number.NaN : Number.parseInt(found[1] ?? found[2] ?? "", 16);
  return code <= 0x10_ffff ? String.fromCodePoint(code) : undefined;
}

/** A set such as `[^a-z\d]`, behind its bracket. */
function readSet(reader: Reader): string | undefined {
  const isNegated = reader.match(/\^/y) !== undefined;
  let [members, isAscii] = ["", !isNegated];
  for (let isFirst = true; isFirst || reader.match(/\]/y) === undefined; isFirst = false) {
    if (reader.isAtEnd) return undefined;
    const member = readMember(reader);
    if (member === undefined) return undefined;
    members += member.text;
    isAscii &&= member.isAscii;
  }
  const set = `[${isNegated ? "^" : ""}${members}]`;
  return isAscii ? set : `(?:${set}|${broken})`;
}

interface Member {
  readonly text: string;
  /** Whether it has nothing beyond ASCII. */
  readonly isAscii: boolean;
}

function readMember(reader: Reader): Member | undefined {
  const named = reader.match(/\[:(\^?)\w+:\]/y);
  if (named !== undefined) return { text: named[0], isAscii: named[1] === "" };
  const name = reader.match(/\\p(?:\{\w+\}|\w)/iy);
  if (name !== undefined) return { text: name[0], isAscii: false };
  const short = reader.match(/\\([dws])/iy)?.[1];
  if (short !== undefined) {
    const members = asciiClasses.get(short.toLowerCase()) ?? "";
    const isAscii = short === short.toLowerCase();
    return { text: isAscii ? members : `[^${members}]`, isAscii };
  }
  const low = readCharacter(reader);
  if (low === undefined) return undefined;
  // A dash at the end of the set is one.
  const isRange = reader.has("-") && !reader.has("-]") && reader.match(/-/y) !== undefined;
  const high = isRange ? readCharacter(reader) : low;
  if (high === undefined) return undefined;
  const text = low === high ? literal(low) : `${literal(low)}-${literal(high)}`;
  return { text, isAscii: high < "\u0080" };
}

function readCharacter(reader: Reader): string | undefined {
  const character = reader.take();
  if (character !== "\\") return character === "" ? undefined : character;
  const hex = readHex(reader);
  if (hex !== undefined) return hex;
  const next = reader.take();
  const control = controls.get(next);
  if (control !== undefined) return String.fromCodePoint(control);
  if (next === "n") return "\n";
  return /^[!-/:-@[-`{-~]$/.test(next) ? next : undefined;
}

/** A character that stands for itself, whatever the sign means elsewhere. */
function literal(character: string): string {
  if (/^[0-9A-Za-z_]$/.test(character) || character > "\u007F") return character;
  return `\\x{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
}
