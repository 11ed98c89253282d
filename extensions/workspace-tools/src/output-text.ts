const lineFeed = 0x0a;
/** Control characters that do not occur in text. ESC is allowed, as part of terminal sequences. */
// oxlint-disable-next-line no-control-regex -- these are the characters that it looks for
const binary = /[\0-\x06\x0E-\x1A\x1C-\x1F]/;
// oxlint-disable-next-line no-control-regex -- NUL is the first of ASCII
const readable = /[^\0-\x7F\uFFFD]/;
const strict = new TextDecoder("utf-8", { fatal: true });
const lenient = new TextDecoder("utf-8");
const single = new TextDecoder("windows-1252");

export interface OutputText {
  readonly text: string;
  readonly isGuessed: boolean;
}

/**
 * A line with bytes outside of ASCII but no valid UTF-8 sequence is read as Windows-1252; other encodings then look
 * wrong but are preserved.
 * @param cut Where the output was cut, perhaps within a character.
 */
export function outputText(bytes: Uint8Array, cut?: "start" | "end"): OutputText {
  const whole = decodedStrictly(bytes);
  if (whole !== undefined) return { text: whole, isGuessed: false };
  if (bytes.includes(0)) return { text: lenient.decode(bytes), isGuessed: false }; // Binary data.
  const lines: string[] = [];
  let isGuessed = false;
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(lineFeed, start);
    const line = bytes.subarray(start, end === -1 ? bytes.length : end + 1);
    const isCut = cut === "start" ? start === 0 : cut === "end" && end === -1;
    const guessed = isCut && isHalved(line) ? undefined : guessedLine(line);
    isGuessed ||= guessed !== undefined;
    lines.push(guessed ?? lenient.decode(line));
    start += line.length;
  }
  return { text: lines.join(""), isGuessed };
}

function guessedLine(line: Uint8Array): string | undefined {
  if (decodedStrictly(line) !== undefined || readable.test(lenient.decode(line))) return undefined;
  const text = single.decode(line);
  return binary.test(text) ? undefined : text;
}

/** Returns whether a line is UTF-8 except for the rest of a character at its start, or the beginning of one at its end. */
function isHalved(line: Uint8Array): boolean {
  const start = line.findIndex((byte, index) => index === 3 || !isContinuation(byte));
  return decodedStrictly(line.subarray(Math.max(0, start)), { stream: true }) !== undefined;
}

function isContinuation(byte: number): boolean {
  return byte >= 0x80 && byte < 0xc0;
}

function decodedStrictly(bytes: Uint8Array, options?: { readonly stream: boolean }): string | undefined {
  const decoder = options === undefined ? strict : new TextDecoder("utf-8", { fatal: true });
  try {
    return decoder.decode(bytes, options);
  } catch {
    return undefined;
  }
}
