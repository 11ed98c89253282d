import { Lexer, type Token } from "marked";

/** A piece is read by itself: some texts cost the reader the square of their length. */
const longestPiece = 8_000;
/** Short blocks are one piece together. */
const shortestPiece = 4_000;
/** Blocks that cost no more than their length, and would be another thing in two pieces. */
const longestCode = 200_000;
const longestTable = 16_000;

interface TakenPieces {
  readonly settled: readonly string[];
  /** How much of the text is in those. */
  readonly settledLength: number;
  /** What follows them; a piece by itself where `isAll`. */
  readonly rest: string;
  /** Whether nothing was left out. */
  readonly isAll: boolean;
}

/**
 * A text in Markdown as pieces of whole blocks, one behind the other, which give the text again. It may grow: `settled`
 * are those that nothing that comes can change, and what is read again is the rest alone. A block that is longer than a
 * page can read at once is cut where it has a line end, code with its fence on both sides of the cut.
 */
export class MarkdownPieces {
  #known = "";
  #settledLength = 0;
  #settled: string[] = [];
  /** The fence of code that was cut. */
  #fence = "";
  readonly #longestCode: number;

  constructor(options: { readonly longestCode?: number } = {}) {
    this.#longestCode = options.longestCode ?? longestCode;
  }

  /** Takes the whole text as it is now; reads no piece that begins behind `upTo` characters. */
  take(text: string, upTo = Number.POSITIVE_INFINITY): TakenPieces {
    if (!text.startsWith(this.#known)) {
      this.#settledLength = 0;
      this.#settled = [];
      this.#fence = "";
    }
    this.#known = text;
    const found: string[] = [];
    while (this.#settledLength < upTo) {
      const length = this.#nextLength(text);
      if (length === 0) break;
      found.push(this.#fence + text.slice(this.#settledLength, this.#settledLength + length));
      this.#settledLength += length;
      this.#fence = openFence(found.at(-1) ?? "");
    }
    // The list is another one when there is more in it: who draws it looks at nothing else.
    if (found.length > 0) this.#settled = [...this.#settled, ...found];
    const rest = this.#fence + text.slice(this.#settledLength);
    const settledLength = this.#settledLength;
    return { settled: this.#settled, settledLength, rest, isAll: settledLength < upTo };
  }

  /** How much of what is not settled can be; 0: nothing. */
  #nextLength(text: string): number {
    const left = text.length - this.#settledLength;
    if (left <= shortestPiece) return 0;
    const slice = text.slice(this.#settledLength, this.#settledLength + longestPiece);
    if (this.#fence !== "" || isFence(slice)) return this.#codeLength(text);
    // Most of what is one line of such a length is no text: it costs a parser much, and is one block.
    if (!slice.includes("\n")) return slice.length < longestPiece ? 0 : cut(slice);
    const blocks = blocksOf(slice);
    const closed = blocks.slice(0, lastBlock(blocks));
    const length = closed.reduce((sum, { raw }) => sum + raw.length, 0);
    if (length >= shortestPiece || (length > 0 && slice.length === longestPiece)) return length;
    if (slice.length < longestPiece) return 0;
    if (blocks.find(({ type }) => type !== "space")?.type !== "table") return cut(slice);
    const rows = text.slice(this.#settledLength, this.#settledLength + longestTable);
    const end = rows.indexOf("\n\n");
    if (end !== -1) return end + 2;
    return rows.length < longestTable ? 0 : cut(rows);
  }

  /** Code up to behind the line that closes it. */
  #codeLength(text: string): number {
    const code = this.#fence + text.slice(this.#settledLength, this.#settledLength + this.#longestCode);
    const [, mark = "```"] = fence.exec(code) ?? [];
    const closing = new RegExp(`\\n {0,3}${mark.charAt(0)}{${mark.length},}[ \\t]*(?:\\n+|$)`);
    const found = closing.exec(code);
    if (found !== null && found.index + found[0].length < code.length)
      return found.index + found[0].length - this.#fence.length;
    if (code.length < this.#longestCode) return 0;
    return cut(code.slice(this.#fence.length));
  }
}

const fence = /^\s{0,3}(`{3,}(?=[^`\n]*(?:\n|$))|~{3,})/;

function isFence(text: string): boolean {
  return fence.test(text);
}

/** The line that opens code which a piece does not close. */
function openFence(piece: string): string {
  const [whole, mark] = fence.exec(piece) ?? [];
  if (whole === undefined || mark === undefined) return "";
  const isClosed = new RegExp(`\\n {0,3}${mark.charAt(0)}{${mark.length},}[ \\t]*\\n*$`).test(piece);
  const lineEnd = piece.indexOf("\n");
  return isClosed || lineEnd === -1 ? "" : piece.slice(0, lineEnd + 1);
}

function blocksOf(text: string): readonly Token[] {
  try {
    return new Lexer({ gfm: true }).blockTokens(text);
  } catch {
    return []; // It is deeper than a browser can read: it is cut like any other.
  }
}

/** The place of the last block that is one, which may go on. */
function lastBlock(blocks: readonly Token[]): number {
  return Math.max(
    0,
    blocks.findLastIndex(({ type }) => type !== "space"),
  );
}

const highSurrogates = [0xd8_00, 0xdb_ff] as const;

/** Where a text can be cut: behind its last line end, or anywhere but in the middle of a character. */
function cut(text: string): number {
  const lineEnd = text.lastIndexOf("\n");
  if (lineEnd > 0) return lineEnd + 1;
  const code = text.charCodeAt(text.length - 1);
  return code >= highSurrogates[0] && code <= highSurrogates[1] ? text.length - 1 : text.length;
}
