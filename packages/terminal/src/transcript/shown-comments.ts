import { blockTokens } from "./block-tokens.ts";
import { outsideCode } from "./outside-code.ts";

/** A code span, or the start of a comment. */
const spanOrComment = /(?<!`)(`+)(?!`)(?:.*?[^`])\1(?!`)|\\?<!--/g;

/** Escapes HTML comments, which the library would omit, so that the whole answer is visible. */
export function withShownComments(markdown: string): string {
  if (!markdown.includes("<!--")) return markdown;
  return blockTokens(markdown)
    .map(({ type, raw }) => (type === "code" ? raw : outsideCode(raw, withEscapedComments)))
    .join("");
}

function withEscapedComments(line: string): string {
  return line.replaceAll(spanOrComment, (found) => (found === "<!--" ? String.raw`\<!--` : found));
}
