import { lineAt, type Stretch } from "@incipit/front-matter";
import { decodeText } from "@incipit/schema";

/**
 * Decodes an agent's file: UTF-8 with its byte order mark, as it is written back, or another encoding that `decodeText`
 * recognizes. A change writes such a file as UTF-8. `undefined`: it is not text.
 */
export function decodeAgentText(bytes: Uint8Array): string | undefined {
  const decoded = decodeText(bytes);
  if (decoded?.encoding !== "utf-8") return decoded?.text;
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** Gives the number of the line that a place is in, from 1; places are asked for in their order. */
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

/** The stretch of a body that is its prompt: without the empty lines in front of it and behind it. */
function promptStretch(text: string, { start, end }: Stretch): Stretch {
  let from = start;
  for (let line = lineAt(text, from); line.next > from && line.next <= end; line = lineAt(text, from)) {
    if (text.slice(from, line.end).trim() !== "") break;
    from = line.next;
  }
  let to = end;
  while (to > from && /\s/.test(text[to - 1] ?? "")) to -= 1;
  if (to === from) return { start: end, end };
  // White space behind the last word is the author's; line breaks are not.
  for (let at = to; at < end && text[at] !== "\n" && text[at] !== "\r"; at += 1) to = at + 1;
  return { start: from, end: to };
}

/** As a model is told it: line ends as `\n`. */
export function promptText(text: string, body: Stretch): string {
  const { start, end } = promptStretch(text, body);
  return text.slice(start, end).replaceAll("\r\n", "\n");
}
