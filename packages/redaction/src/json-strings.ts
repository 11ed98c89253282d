export interface JsonString {
  readonly value: string;
  /** From the value to the text, in UTF-16 units; the value's length maps to the end of the string. */
  readonly placeOf: (index: number) => number;
}

const escapes = new Map([
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

/** Those that end after `from`. In invalid JSON, the parts between double quotes. */
export function* jsonStrings(text: string, from: number): Generator<JsonString> {
  for (let open = text.indexOf('"'); open !== -1;) {
    const close = endOfString(text, open + 1);
    if (close > from) yield decoded(text, open + 1, close);
    open = text.indexOf('"', close + 1);
  }
}

function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (at - 1 - backslashes >= start && text[at - 1 - backslashes] === "\\") backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return text.length;
}

function decoded(text: string, start: number, end: number): JsonString {
  const raw = text.slice(start, end);
  const pieces: string[] = [];
  /** Offsets of escapes in the value; `more`: extra units of the raw string up to after the escape. */
  const at: number[] = [];
  const more: number[] = [];
  let length = 0;
  let position = 0;
  for (let next = raw.indexOf("\\"); next !== -1; next = raw.indexOf("\\", position)) {
    const letter = raw.charAt(next + 1);
    const code = letter === "u" ? /^[0-9a-fA-F]{4}$/.exec(raw.slice(next + 2, next + 6))?.[0] : undefined;
    const meant =
      code === undefined ? (escapes.get(letter) ?? letter) : String.fromCharCode(Number.parseInt(code, 16));
    pieces.push(raw.slice(position, next), meant);
    length += next - position;
    at.push(length);
    length += meant.length;
    position = Math.min(raw.length, next + (code === undefined ? 2 : 6));
    more.push(position - length);
  }
  pieces.push(raw.slice(position));
  return {
    value: pieces.join(""),
    placeOf(index) {
      let [low, high] = [0, at.length];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((at[middle] ?? 0) < index) low = middle + 1;
        else high = middle;
      }
      return start + index + (more[low - 1] ?? 0);
    },
  };
}
