import { blockTokens } from "./block-tokens.ts";
import { outsideCode } from "./outside-code.ts";

const spanOrComment = /(?<!`)(`+)(?!`)(?:.*?[^`])\1(?!`)|\\?<!--/g;

/** The library would omit comments. */
export function withShownComments(markdown: string): string {
  if (!markdown.includes("<!--")) return markdown;
  return blockTokens(markdown)
    .map(({ type, raw }) => (type === "code" ? raw : outsideCode(raw, withEscapedComments)))
    .join("");
}

function withEscapedComments(line: string): string {
  return line.replaceAll(spanOrComment, (found) => (found === "<!--" ? String.raw`\<!--` : found));
}
