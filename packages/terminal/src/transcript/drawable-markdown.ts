import type { Token, Tokens } from "@earendil-works/pi-tui";
import { blockTokens, isTable } from "./block-tokens.ts";
import { everywhere, outsideCode } from "./outside-code.ts";

/**
 * The library's work doubles with each quote level that does not fit, and grows with the square of the emphasis marks
 * in a paragraph. Excess marks are escaped, first outside code; a block that is still too expensive is shown as source
 * text.
 */
export function drawableMarkdown(markdown: string, width: number): string {
  return blockTokens(markdown)
    .map((token) => (isDrawable([token], roomOfMarks(width)) ? token.raw : drawable(token.raw, width)))
    .join("");
}

function drawable(block: string, width: number): string {
  for (const lines of [outsideCode, everywhere]) {
    const changed = lines(lines(block, shallowQuotes(width)), sparseEmphasis());
    if (isDrawable(blockTokens(changed), roomOfMarks(width))) return changed;
  }
  // A loop, because a call cannot take so many arguments.
  const longest = (block.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${block.trimEnd()}\n${fence}\n\n`;
}

function isDrawable(tokens: readonly Token[], room: number): boolean {
  return tokens.every((token) => {
    if (isQuote(token)) return room >= barCells && isDrawable(token.tokens, room - barCells);
    if (isList(token)) return token.items.every((item) => isDrawable(item.tokens, room - entryCells));
    if (isTable(token))
      return [token.header, ...token.rows].flat().every(({ text }) => countMarks(text) <= maxMarks);
    return token.type === "code" || countMarks(token.raw) <= maxMarks;
  });
}

function isQuote(token: Token): token is Tokens.Blockquote {
  return token.type === "blockquote" && "tokens" in token;
}

function isList(token: Token): token is Tokens.List {
  return token.type === "list" && "items" in token;
}

/** Width of a quotation's prefix: a bar and a space. */
const barCells = 2;
/** Includes the space after the mark. */
const entryCells = 4;
const tabCells = 3;
const leastText = 8;
const listMark = /(?:[-*+]|\d{1,9}[.)])(?=[ \t])/y;

/** The library draws two rows for each row of a quote that does not fit: forty levels would exceed any machine. */
function shallowQuotes(width: number): (line: string) => string {
  return (line) => shallow(line, roomOfMarks(width));
}

function roomOfMarks(width: number): number {
  return width - leastText;
}

function shallow(line: string, room: number): string {
  let cells = 0;
  for (let at = 0; at < line.length; at += 1) {
    listMark.lastIndex = at;
    const mark = listMark.exec(line)?.[0];
    if (mark !== undefined) {
      cells += entryCells;
      at += mark.length - 1;
    } else if (line[at] === "\t") cells += tabCells;
    else if (line[at] === " ") cells += line[at - 1] === ">" ? 0 : 1;
    else if (line[at] !== ">") return line;
    else if (cells + barCells > room) return `${line.slice(0, at)}\\${line.slice(at)}`;
    else cells += barCells;
  }
  return line;
}

/** More than real text has, and few enough to draw in every frame. */
const maxMarks = 400;

const mark = /[*_]+|~~+/g;
/** List entry, heading, table row. */
const begins = /^[\s>]*(?:[-*+]\s|\d{1,9}[.)]\s|#{1,6}\s|\|)/;

function sparseEmphasis(): (line: string) => string {
  let left = maxMarks;
  return (line) => {
    if (line.trim() === "" || begins.test(line)) left = maxMarks;
    return line.replaceAll(mark, (marks: string, at: number) => {
      if (line[at - 1] === "\\") return marks;
      left -= 1;
      return left < 0 ? marks.replaceAll(/./g, "\\$&") : marks;
    });
  };
}

export function countMarks(text: string): number {
  return [...text.matchAll(mark)].filter(({ index }) => text[index - 1] !== "\\").length;
}
