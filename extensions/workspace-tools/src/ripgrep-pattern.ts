/** A character, or an invalid UTF-8 byte, which decodes to U+FFFD. */
const broken = String.raw`(?-u:[\x80-\xFF])`;
const anything = String.raw`(?:[^\n]|${broken})`;

/** RE2's classes are ASCII; ripgrep's are Unicode. */
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
 * Matches at least the same lines; `undefined` when no such expression is known. RE2 and ripgrep share a syntax but
 * differ in semantics: `\d` is ASCII or Unicode, `$` matches before or after a `\r`, and ripgrep allows nested
 * classes.
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
    // The end of a line consumes `\r`, after which no other assertion matches.
    if (hasEnd && isPlace) return undefined;
    hasEnd ||= part === atEnd;
    hasPlace ||= isPlace;
    written += part;
  }
  // In a repetition, the first assertion follows the last.
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

  take(): string {
    const code = this.#text.codePointAt(this.#at);
    if (code === undefined) return "";
    const character = String.fromCodePoint(code);
    this.#at += character.length;
    return character;
  }

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
const places: ReadonlySet<string> = new Set(["^", String.raw`(?-u:\b)`, String.raw`(?-u:\B)`]);

/** Only single lines are matched, so `m` has no effect. */
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
  // A trailing dash is literal.
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

function literal(character: string): string {
  if (/^[0-9A-Za-z_]$/.test(character) || character > "\u007F") return character;
  return `\\x{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
}
