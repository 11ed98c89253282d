import { oneLine } from "../text/one-line.ts";

/** Limit of the searched characters: the text is untrusted, and some searches take quadratic time. */
const maxRead = 16_000;

export function isPage(text: string): boolean {
  return /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->).)*-->\s*)*<(?:!doctype\s+html|html|head|body)\b/is.test(
    text.slice(0, maxRead),
  );
}

/** The start, on one line; for an HTML page only the title or heading. */
export function shownBody(text: string): string {
  if (!isPage(text)) return oneLine(text);
  const [, named = ""] = /<(?:title|h1)\b[^>]*>(.*?)<\/(?:title|h1)\s*>/is.exec(text.slice(0, maxRead)) ?? [];
  const title = oneLine(unescaped(named.replaceAll(/<[^>]*>/g, " ")));
  return title === "" ? "an HTML page" : `an HTML page with the title "${title}"`;
}

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: " ", amp: "&" };

function unescaped(text: string): string {
  return text.replaceAll(/&(lt|gt|quot|#39|nbsp|amp);/g, (whole, name: string) => entities[name] ?? whole);
}
