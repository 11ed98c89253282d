export type TextEncodingName = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

interface DecodedText {
  /** Without a byte order mark. */
  readonly text: string;
  readonly encoding: TextEncodingName;
}

/** Minimum share of ASCII characters for UTF-16 without a byte order mark. */
const minAsciiShare = 0.6;
/** Maximum share of non-ASCII letters for Windows-1252. */
const maxWesternShare = 0.5;

/**
 * Decodes the bytes of a text file: UTF-8, UTF-16 and Windows-1252 (a superset of Latin-1).
 *
 * - UTF-16 is recognized by its byte order mark; without one, only if most of the text is ASCII.
 * - Windows-1252 is assumed only if nothing else fits: mostly ASCII, with isolated other letters. Other code pages
 *   (Shift JIS, GBK, KOI8-R) and damaged UTF-8 are not guessed.
 * @returns `undefined` for binary data or an ambiguous encoding.
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
    return undefined; // The decoder throws only for malformed bytes.
  }
}

/** Detects the byte order of UTF-16 without a mark by the position of zero bytes in ASCII letters. */
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

/** Excludes control characters except tabs and line breaks. */
function isTextByte(byte: number): boolean {
  return byte >= 0x20 ? byte !== 0x7f : byte >= 0x09 && byte <= 0x0d;
}

/** Bytes beyond ASCII that are well-formed UTF-8. */
const utf8Run = /^(?:[\xc2-\xdf][\x80-\xbf]|[\xe1-\xef][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3})+$/;
/** Bytes undefined in Windows-1252, and longer runs of non-ASCII letters than its languages have. */
const notWestern = /[\x81\x8d\x8f\x90\x9d]|[\x80-\xff]{4}/;

function isWestern(bytes: Uint8Array): boolean {
  if (!bytes.every(isTextByte)) return false;
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  if (notWestern.test(text)) return false;
  const runs = text.match(/[\x80-\xff]+/g) ?? [];
  const wellFormed = runs.filter((run) => utf8Run.test(run)).length;
  if (wellFormed * 2 > runs.length) return false; // Damaged or truncated UTF-8.
  const beyond = text.match(/[\xc0-\xff]/g)?.length ?? 0;
  const letters = text.match(/[A-Za-z]/g)?.length ?? 0;
  return beyond <= (letters + beyond) * maxWesternShare;
}

/** Returns a display name, such as `UTF-16 (little endian)`. */
export function encodingLabel(encoding: TextEncodingName): string {
  return labels[encoding];
}

const labels: Readonly<Record<TextEncodingName, string>> = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16 (little endian)",
  "utf-16be": "UTF-16 (big endian)",
  "windows-1252": "Windows-1252",
};
