import type { Token, Tokens } from "@earendil-works/pi-tui";
import { blockTokens, isTable } from "./block-tokens.ts";
import { everywhere, outsideCode } from "./outside-code.ts";
import { barCells, entryCells, roomOfMarks, shallowQuotes } from "./shallow-quotes.ts";
import { countMarks, maxMarks, sparseEmphasis } from "./sparse-emphasis.ts";

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
