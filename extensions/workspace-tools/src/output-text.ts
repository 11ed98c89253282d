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
 */
export function outputText(bytes: Uint8Array): OutputText {
  const whole = decodedStrictly(bytes);
  if (whole !== undefined) return { text: whole, isGuessed: false };
  const lines: string[] = [];
  let isGuessed = false;
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(lineFeed, start);
    const line = bytes.subarray(start, end === -1 ? bytes.length : end + 1);
    const guessed = guessedLine(line);
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

function decodedStrictly(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}
