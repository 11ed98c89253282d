type FileEncoding = "UTF-8" | "UTF-16 LE" | "UTF-16 BE" | "Windows-1252";

export interface FileForm {
  readonly encoding: FileEncoding;
  readonly hasMark: boolean;
}

export interface FileText extends FileForm {
  readonly text: string;
}

const mark = "\uFEFF";
// oxlint-disable-next-line no-control-regex -- these are the characters that it looks for
const binary = /[\0-\x07\x0E-\x19\x1C-\x1F]/;

/**
 * `encodeText` restores the same bytes. UTF-16 is detected by its byte order mark. Invalid UTF-8 is read as
 * Windows-1252, even if it is another ASCII superset: its non-ASCII characters then look wrong but are preserved.
 * Returns `undefined` for binary content.
 */
export function decodeText(bytes: Uint8Array): FileText | undefined {
  const utf16 = bytes[0] === 0xff && bytes[1] === 0xfe ? "LE" : bytes[0] === 0xfe && bytes[1] === 0xff ? "BE" : "";
  if (utf16 !== "") {
    const text = decoded(bytes, utf16 === "LE" ? "utf-16le" : "utf-16be");
    return text === undefined || text.includes("\0") ? undefined : withoutMark(text, `UTF-16 ${utf16}`);
  }
  if (bytes.includes(0)) return undefined;
  const text = decoded(bytes, "utf-8");
  if (text !== undefined) return withoutMark(text, "UTF-8");
  const single = decoded(bytes, "windows-1252");
  return single === undefined || binary.test(single) ? undefined : withoutMark(single, "Windows-1252");
}

export function encodeText(text: string, { encoding, hasMark }: FileForm): Uint8Array {
  const whole = hasMark ? mark + text : text;
  switch (encoding) {
    case "UTF-8":
      return new TextEncoder().encode(whole);
    case "UTF-16 LE":
      return Buffer.from(whole.toWellFormed(), "utf16le");
    case "UTF-16 BE":
      return Buffer.from(whole.toWellFormed(), "utf16le").swap16();
    case "Windows-1252":
      return Uint8Array.from(Array.from(whole.toWellFormed(), byteOf));
  }
}

function decoded(bytes: Uint8Array, label: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252"): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function withoutMark(text: string, encoding: FileEncoding): FileText {
  const hasMark = text.startsWith(mark);
  return { text: hasMark ? text.slice(mark.length) : text, encoding, hasMark };
}

const bytesOfCharacters: ReadonlyMap<string, number> = new Map(
  Array.from(
    new TextDecoder("windows-1252").decode(Uint8Array.from({ length: 256 }, (_, byte) => byte)),
    (character, byte) => [character, byte],
  ),
);

function byteOf(character: string): number {
  const byte = bytesOfCharacters.get(character);
  if (byte !== undefined) return byte;
  const shown = JSON.stringify(character);
  throw new Error(
    `the file is in Windows-1252, which has no ${shown}; leave it out, or convert the file to UTF-8 first`,
  );
}
