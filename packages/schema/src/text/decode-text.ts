export type TextEncodingName = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

export interface DecodedText {
  /** Without a byte order mark. */
  readonly text: string;
  readonly encoding: TextEncodingName;
}

/** Share of UTF-16 units that are ASCII, from which a text without a byte order mark is taken as UTF-16. */
const minAsciiShare = 0.6;
/** Share of letters beyond ASCII up to which a text is taken as Windows-1252. */
const maxWesternShare = 0.5;

/**
 * Decodes the bytes of a text file: UTF-8, UTF-16 and Windows-1252 (of which Latin-1 is a part).
 *
 * - UTF-16 is recognized by its byte order mark; without one, only where most of the text is ASCII.
 * - Windows-1252 is assumed only where nothing else fits: mostly ASCII, with single letters beyond it. Text in other code
 *   pages (Shift JIS, GBK, KOI8-R) and damaged UTF-8 is not guessed at.
 * @returns `undefined` for bytes that are not text, or whose encoding is ambiguous.
 */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decoded("utf-16le", bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decoded("utf-16be", bytes);
  if (bytes.includes(0)) {
    const encoding = utf16Order(bytes);
    return encoding === undefined ? undefined : decoded(encoding, bytes);
  }
  const utf8 = decoded("utf-8", bytes);
  if (utf8 !== undefined) return utf8;
  return isWestern(bytes) ? decoded("windows-1252", bytes) : undefined;
}

function decoded(encoding: TextEncodingName, bytes: Uint8Array): DecodedText | undefined {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : { text, encoding };
  } catch {
    return undefined; // The decoder throws for malformed bytes only.
  }
}

/** Byte order of a UTF-16 text without a mark, by where the zero halves of its ASCII letters are. */
function utf16Order(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (bytes.length % 2 !== 0) return undefined;
  const zeros = [0, 0];
  for (let at = 0; at < bytes.length; at += 2) {
    const [high, low] = [bytes[at] ?? 0, bytes[at + 1] ?? 0];
    for (const [side, zero, letter] of [
      [0, high, low],
      [1, low, high],
    ] as const) {
      if (zero !== 0) continue;
      if (!isTextByte(letter)) return undefined;
      zeros[side] = (zeros[side] ?? 0) + 1;
    }
  }
  const [big = 0, little = 0] = zeros;
  if (big > 0 && little > 0) return undefined;
  if (Math.max(big, little) < (bytes.length / 2) * minAsciiShare) return undefined;
  return big > 0 ? "utf-16be" : "utf-16le";
}

/** No control character but tabs and line breaks. */
function isTextByte(byte: number): boolean {
  return byte >= 0x20 ? byte !== 0x7f : byte >= 0x09 && byte <= 0x0d;
}

/** Bytes beyond ASCII that are well-formed UTF-8. */
const utf8Run = /^(?:[\xc2-\xdf][\x80-\xbf]|[\xe1-\xef][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3})+$/;
/** Bytes that Windows-1252 does not define, and more letters beyond ASCII in a row than its languages have. */
const notWestern = /[\x81\x8d\x8f\x90\x9d]|[\x80-\xff]{4}/;

function isWestern(bytes: Uint8Array): boolean {
  if (!bytes.every(isTextByte)) return false;
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  if (notWestern.test(text)) return false;
  const runs = text.match(/[\x80-\xff]+/g) ?? [];
  const wellFormed = runs.filter((run) => utf8Run.test(run)).length;
  if (wellFormed * 2 > runs.length) return false; // UTF-8 that was damaged or cut.
  const beyond = text.match(/[\xc0-\xff]/g)?.length ?? 0;
  const letters = text.match(/[A-Za-z]/g)?.length ?? 0;
  return beyond <= (letters + beyond) * maxWesternShare;
}

/** Name of an encoding for people, such as `UTF-16 (little endian)`. */
export function encodingLabel(encoding: TextEncodingName): string {
  return labels[encoding];
}

const labels: Readonly<Record<TextEncodingName, string>> = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16 (little endian)",
  "utf-16be": "UTF-16 (big endian)",
  "windows-1252": "Windows-1252",
};
