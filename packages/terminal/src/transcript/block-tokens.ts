import { Marked, type Token, type Tokens } from "@earendil-works/pi-tui";

const marked = new Marked();

/** Parses only the blocks of a Markdown text; inline tokens are parsed once, when drawn. */
export function blockTokens(markdown: string): readonly Token[] {
  return new marked.Lexer(marked.defaults).blockTokens(markdown.replaceAll(/\r\n|\r/g, "\n"));
}

export function isTable(token: Token): token is Tokens.Table {
  return token.type === "table" && "header" in token && "rows" in token;
}
