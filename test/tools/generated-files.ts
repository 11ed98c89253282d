type Random = () => number;

function pick<Item>(random: Random, items: readonly [Item, ...Item[]]): Item {
  return items[Math.floor(random() * items.length)] ?? items[0];
}

const marks = {
  "UTF-8": [],
  "UTF-8 with a mark": [0xef, 0xbb, 0xbf],
  "UTF-16 LE": [0xff, 0xfe],
  "UTF-16 BE": [0xfe, 0xff],
  "Windows-1252": [],
} as const satisfies Record<string, readonly number[]>;
type Encoding = keyof typeof marks;

export interface GeneratedFile {
  readonly label: string;
  readonly before: Buffer;
  readonly mode: number;
  readonly isLink: boolean;
  /** An edit by a model, with its own line ends. */
  readonly edit: { readonly oldText: string; readonly newText: string };
  /** Expected contents after the edit. `text` has LF where the file has mixed line ends, or none. */
  readonly edited: { readonly start: Buffer; readonly text: string; readonly end: Buffer };
  /** Text that a model writes over the file, and the expected bytes. */
  readonly content: string;
  readonly written: Buffer;
  textOf(bytes: Uint8Array): string;
}

/** Generates a text file of any system, and a model's changes to it. */
export function generatedFile(random: Random): GeneratedFile {
  const encoding = pick<Encoding>(random, ["UTF-8", "UTF-8 with a mark", "UTF-16 LE", "UTF-16 BE", "Windows-1252"]);
  const characters = Array.from(encoding === "Windows-1252" ? "ab é\tß" : "ab é\t漢🎉");
  const style = pick(random, ["\n", "\r\n", "\r", "any"]);
  const end = (): string => (style === "any" ? pick(random, ["\n", "\r\n", "\r"]) : style);
  const line = (): string =>
    Array.from(
      { length: Math.floor(random() * 8) },
      () => characters[Math.floor(random() * characters.length)],
    ).join("");
  const lines = (max: number): string =>
    Array.from({ length: Math.floor(random() * max) }, () => line() + end()).join("");
  const lf = (text: string): string => text.replaceAll(/\r\n|\r/g, "\n");
  const [start, inside, behind] = [
    lines(4),
    lines(4),
    lines(4) + (encoding === "Windows-1252" ? "é" : pick(random, ["", "é"])),
  ];
  const from = `<${inside}>`;
  // One line more or less, so that some line ends have no counterpart.
  const to = `[${lf(lines(5))}]`;
  const encode = (text: string): Buffer => bytesOf(text, encoding);
  const mark = Buffer.from(marks[encoding]);
  const content = `${lf(lines(4))}é\n`;
  const before = Buffer.concat([mark, encode(start + from + behind)]);
  const ends = new Set((start + from + behind).match(/\r\n|\r|\n/g));
  const kept = ends.size === 1 ? [...ends][0] : undefined;
  return {
    label: `${encoding}, ${JSON.stringify(start + from + behind)}`,
    before,
    mode: pick(random, [0o644, 0o600, 0o755, 0o664]),
    isLink: random() < 0.2,
    edit: { oldText: withEnds(random, lf(from)), newText: withEnds(random, to) },
    edited: {
      start: Buffer.concat([mark, encode(start)]),
      text: kept === undefined ? to : to.replaceAll("\n", kept),
      end: encode(behind),
    },
    content,
    written: Buffer.concat([mark, encode(kept === undefined ? content : content.replaceAll("\n", kept))]),
    textOf: (bytes) => (kept === undefined ? lf(textOf(bytes, encoding)) : textOf(bytes, encoding)),
  };
}

/** A model writes LF, or sometimes the line ends it assumes. */
function withEnds(random: Random, text: string): string {
  return random() < 0.2 ? text.replaceAll("\n", "\r\n") : text;
}

function bytesOf(text: string, encoding: Encoding): Buffer {
  switch (encoding) {
    case "UTF-8":
    case "UTF-8 with a mark":
      return Buffer.from(text);
    case "UTF-16 LE":
      return Buffer.from(text, "utf16le");
    case "UTF-16 BE":
      return Buffer.from(text, "utf16le").swap16();
    case "Windows-1252":
      return Buffer.from(text, "latin1");
  }
}

function textOf(bytes: Uint8Array, encoding: Encoding): string {
  const buffer = Buffer.from(bytes);
  switch (encoding) {
    case "UTF-8":
    case "UTF-8 with a mark":
      return buffer.toString();
    case "UTF-16 LE":
      return buffer.toString("utf16le");
    case "UTF-16 BE":
      return buffer.swap16().toString("utf16le");
    case "Windows-1252":
      return buffer.toString("latin1");
  }
}
