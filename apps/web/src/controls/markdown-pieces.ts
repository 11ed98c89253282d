import { Lexer, type Token } from "marked";

/** Some texts take time quadratic in their length to parse. */
const longestPiece = 8_000;
/** Shorter blocks are combined. */
const shortestPiece = 4_000;
/** For blocks that parse in linear time and would change if split. */
const longestCode = 200_000;
const longestTable = 16_000;

interface TakenPieces {
  readonly settled: readonly string[];
  readonly settledLength: number;
  /** The text after the settled pieces; if `isAll`, it is a piece, too. */
  readonly rest: string;
  readonly isAll: boolean;
}

/**
 * Pieces are whole blocks whose concatenation is the text, which may grow: only the rest after `settled` is parsed
 * again. A block over the parsing limit is cut at a line break, code with its fence repeated.
 */
export class MarkdownPieces {
  #known = "";
  #settledLength = 0;
  #settled: string[] = [];
  #fence = "";
  readonly #longestCode: number;

  constructor(options: { readonly longestCode?: number } = {}) {
    this.#longestCode = options.longestCode ?? longestCode;
  }

  /** Reads no piece that starts after `upTo` characters. */
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
    // The renderer compares by identity.
    if (found.length > 0) this.#settled = [...this.#settled, ...found];
    const rest = this.#fence + text.slice(this.#settledLength);
    const settledLength = this.#settledLength;
    return { settled: this.#settled, settledLength, rest, isAll: settledLength < upTo };
  }

  #nextLength(text: string): number {
    const left = text.length - this.#settledLength;
    if (left <= shortestPiece) return 0;
    const slice = text.slice(this.#settledLength, this.#settledLength + longestPiece);
    if (this.#fence !== "" || isFence(slice)) return this.#codeLength(text);
    // A line of this length is rarely text, expensive to parse, and one block anyway.
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
    return []; // Nested too deeply for the browser's stack: cut like any other text.
  }
}

/** The last block may still grow. */
function lastBlock(blocks: readonly Token[]): number {
  return Math.max(
    0,
    blocks.findLastIndex(({ type }) => type !== "space"),
  );
}

const highSurrogates = [0xd8_00, 0xdb_ff] as const;

/** After the last line break, else outside a surrogate pair. */
function cut(text: string): number {
  const lineEnd = text.lastIndexOf("\n");
  if (lineEnd > 0) return lineEnd + 1;
  const code = text.charCodeAt(text.length - 1);
  return code >= highSurrogates[0] && code <= highSurrogates[1] ? text.length - 1 : text.length;
}
