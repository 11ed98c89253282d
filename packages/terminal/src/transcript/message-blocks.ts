import { describeCut, type ShortTurnEnd } from "@incipit/schema";
import { Markdown, type Component, type Tokens, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { clippedLine } from "@incipit/schema/text";
import type { Highlighter } from "../style/highlight.ts";
import type { Style } from "../style/style.ts";
import { markdownTheme } from "../style/widget-themes.ts";
import { alignedTable, isAligned } from "./aligned-table.ts";
import { blockTokens, isTable } from "./block-tokens.ts";
import { Block, hanging, harmless } from "./block.ts";
import { drawableMarkdown } from "./drawable-markdown.ts";
import { foldedText } from "./folded-text.ts";
import { withoutNarrowTables } from "./narrow-tables.ts";
import { StreamedMarkdown, type DonePiece } from "./streamed-markdown.ts";
import type { FoldOptions } from "./tool-block.ts";
import { outsideCode } from "./outside-code.ts";

export interface Looks extends FoldOptions {
  readonly style: Style;
  readonly highlighter: Highlighter;
}

export function userBlock(text: string, style: Style): Component {
  const said = harmless(foldedText(text.trim()));
  return new Block((width) => {
    const lines = hanging(said, { first: "> ", width });
    return lines.map((line) => style.strong(style.accent(line)));
  });
}

export function markdownBlock(text: string, { style, highlighter }: Looks): Component {
  const theme = markdownTheme(style, (code, language = "") => highlighter.lines(code, language));
  const drawn = (markdown: string): Markdown => new Markdown(markdown, 0, 0, theme, undefined, { transform });
  const markdown = harmless(text.trimEnd());
  const table = markdown.includes("|") ? onlyTable(markdown) : undefined;
  return table !== undefined && isAligned(table) ? alignedTable(table, drawn) : drawn(markdown);
}

function onlyTable(markdown: string): Tokens.Table | undefined {
  const [token, ...others] = blockTokens(markdown).filter(({ type }) => type !== "space");
  return token !== undefined && others.length === 0 && isTable(token) ? token : undefined;
}

/** In the same blocks as streaming does. */
export function answerBlock(text: string, looks: Looks): Component {
  const streamed = new StreamedMarkdown();
  streamed.add(text.trimEnd());
  const blocks = streamed.takeRest().map((piece) => pieceBlock(piece, looks));
  return new Block((width) =>
    blocks.flatMap(({ block, isFirst }, index) => [...(isFirst && index > 0 ? [""] : []), ...block.render(width)]),
  );
}

export function pieceBlock(
  piece: DonePiece,
  looks: Looks,
): { readonly block: Component; readonly isFirst: boolean } {
  const block = piece.kind === "markdown" ? markdownBlock(piece.text, looks) : codeBlock(piece, looks);
  return { block, isFirst: piece.isFirst };
}

function transform(markdown: string, width: number): string {
  return drawableMarkdown(withoutNarrowTables(withShownComments(markdown), width), width);
}

export function reasoningBlock(text: string, style: Style): Component {
  return new Block((width) => {
    const line = clippedLine(text.trim().replaceAll(/\s+/g, " "), { maxCharacters: Math.max(20, width * 2) });
    return hanging(line, { first: "~ ", width }).map((row) => style.muted(style.italic(row)));
  });
}

export type Level = "muted" | "good" | "warning" | "bad";

export function noticeBlock(text: string, { level = "muted", style }: NoticeOptions): Component {
  return new Block((width) => hanging(harmless(text), { first: "· ", width }).map((line) => style[level](line)));
}

export interface NoticeOptions {
  readonly level?: Level;
  readonly style: Style;
}

export function turnEndText({ status, error, cutReason, cutExplanation }: ShortTurnEnd):
  | {
      readonly text: string;
      readonly level: Level;
    }
  | undefined {
  const why = error === undefined ? "" : `: ${error.message}`;
  switch (status) {
    case "completed":
      return cutReason === undefined
        ? undefined
        : { text: describeCut(cutReason, cutExplanation), level: "warning" };
    case "failed":
      return { text: `The turn failed${why}`, level: "bad" };
    case "cancelled":
      return { text: "Stopped", level: "warning" };
    case "interrupted":
      return { text: `The reply is cut off${why}`, level: "warning" };
  }
}

type CodePiece = Extract<DonePiece, { kind: "code" }>;

const indent = "  ";

function codeBlock(
  { language, lines, isFirst, isLast }: CodePiece,
  { style, highlighter }: { readonly style: Style; readonly highlighter: Highlighter },
): Component {
  return new Block((width) => {
    const code = lines.length === 0 ? [] : highlighter.lines(harmless(lines.join("\n")), language);
    return [
      ...(isFirst ? [style.muted(`\`\`\`${harmless(language)}`)] : []),
      ...code.flatMap((line) =>
        wrapTextWithAnsi(line, Math.max(1, width - indent.length)).map((row) => indent + row),
      ),
      ...(isLast ? [style.muted("```")] : []),
    ];
  });
}

const spanOrComment = /(?<!`)(`+)(?!`)(?:.*?[^`])\1(?!`)|\\?<!--/g;

/** Makes HTML comments visible, which the library would omit. */
function withShownComments(markdown: string): string {
  if (!markdown.includes("<!--")) return markdown;
  return blockTokens(markdown)
    .map(({ type, raw }) => (type === "code" ? raw : outsideCode(raw, withEscapedComments)))
    .join("");
}

function withEscapedComments(line: string): string {
  return line.replaceAll(spanOrComment, (found) => (found === "<!--" ? String.raw`\<!--` : found));
}
