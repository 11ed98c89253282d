import { lineAt, type Stretch } from "@incipit/common/front-matter";
import { decodeText } from "@incipit/schema";

/**
 * Keeps a UTF-8 byte order mark, which is written back; changes convert other encodings to UTF-8. Returns `undefined`
 * for binary content.
 */
export function decodeAgentText(bytes: Uint8Array): string | undefined {
  const decoded = decodeText(bytes);
  if (decoded?.encoding !== "utf-8") return decoded?.text;
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** Lines count from 1; offsets have to ascend. */
export function lineNumbers(text: string): (at: number) => number {
  let line = 1;
  let from = 0;
  return (at) => {
    for (let feed = text.indexOf("\n", from); feed !== -1 && feed < at; feed = text.indexOf("\n", from)) {
      line += 1;
      from = feed + 1;
    }
    return line;
  };
}

function promptStretch(text: string, { start, end }: Stretch): Stretch {
  let from = start;
  for (let line = lineAt(text, from); line.next > from && line.next <= end; line = lineAt(text, from)) {
    if (text.slice(from, line.end).trim() !== "") break;
    from = line.next;
  }
  let to = end;
  while (to > from && /\s/.test(text[to - 1] ?? "")) to -= 1;
  if (to === from) return { start: end, end };
  // Trailing white space is kept, line breaks are not.
  for (let at = to; at < end && text[at] !== "\n" && text[at] !== "\r"; at += 1) to = at + 1;
  return { start: from, end: to };
}

export function promptText(text: string, body: Stretch): string {
  const { start, end } = promptStretch(text, body);
  return text.slice(start, end).replaceAll("\r\n", "\n");
}
