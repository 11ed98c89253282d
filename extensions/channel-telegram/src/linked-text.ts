import type { Entity } from "./update-schema.ts";

/** What Telegram knows and Markdown has another meaning for. */
const addresses = /^(?:https?|tg|mailto|tel|ftp):/i;

/**
 * Returns a text from `from` on, with the addresses behind its links: the service keeps them beside the text, and a model would
 * see the words alone.
 */
export function linkedText(text: string, entities: readonly Entity[], from = 0): string {
  let written = "";
  let at = from;
  const links = entities.filter(({ type, url = "" }) => type === "text_link" && addresses.test(url));
  for (const { offset, length, url = "" } of links.toSorted((a, b) => a.offset - b.offset)) {
    const label = text.slice(offset, offset + length);
    // One over another one, or behind the end, is nobody's.
    if (offset < at || label.length < length || label.trim() === "" || isSame(label, url)) continue;
    written += `${text.slice(at, offset)}[${label.replaceAll(/[[\]\\]/g, "\\$&")}](${addressOf(url)})`;
    at = offset + length;
  }
  return `${written}${text.slice(at)}`;
}

function isSame(label: string, url: string): boolean {
  return url.replace(/\/$/, "") === label.replace(/\/$/, "");
}

/** Without what ends an address in Markdown. */
function addressOf(url: string): string {
  return url.replaceAll(
    /[()<>\s\\]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}
