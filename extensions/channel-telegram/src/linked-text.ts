import type { Entity } from "./update-schema.ts";

/** Other URLs, such as relative ones, would mean something else in Markdown. */
const addresses = /^(?:https?|tg|mailto|tel|ftp):/i;

/** Telegram keeps URLs apart from the text, and a model would only see the labels. */
export function linkedText(text: string, entities: readonly Entity[], from = 0): string {
  let written = "";
  let at = from;
  const links = entities.filter(({ type, url = "" }) => type === "text_link" && addresses.test(url));
  for (const { offset, length, url = "" } of links.toSorted((a, b) => a.offset - b.offset)) {
    const label = text.slice(offset, offset + length);
    // Skips overlapping entities and entities past the end.
    if (offset < at || label.length < length || label.trim() === "" || isSame(label, url)) continue;
    written += `${text.slice(at, offset)}[${label.replaceAll(/[[\]\\]/g, "\\$&")}](${addressOf(url)})`;
    at = offset + length;
  }
  return `${written}${text.slice(at)}`;
}

function isSame(label: string, url: string): boolean {
  return url.replace(/\/$/, "") === label.replace(/\/$/, "");
}

function addressOf(url: string): string {
  return url.replaceAll(
    /[()<>\s\\]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}
