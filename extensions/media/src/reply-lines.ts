import { FenceScanner } from "./fence-scanner.ts";

/** A piece of a reply as it stands there, line ends too: all of them one behind the other are the reply. */
export type ReplyPiece =
  | { readonly kind: "text"; readonly raw: string }
  | { readonly kind: "media"; readonly raw: string; readonly path: string };

/** What the words of a model begin with that sends a file; as an item of a list too, as its instructions show it. */
const directive = /^ {0,3}(?:[-*+] {1,3})?MEDIA:/;

/** Finds the lines `MEDIA:<relative-path>` that are neither in a fence nor indented as code is. In linear time. */
export function replyPieces(reply: string): readonly ReplyPiece[] {
  const pieces: ReplyPiece[] = [];
  const fences = new FenceScanner();
  let text = "";
  const endText = (): void => {
    if (text !== "") pieces.push({ kind: "text", raw: text });
    text = "";
  };
  for (const raw of reply.split(/(?<=\n|\r(?!\n))/)) {
    const line = raw.replace(/[\r\n]+$/, "");
    const path = fences.takes(line) ? "" : pathOf(line);
    if (path === "") {
      text += raw;
      continue;
    }
    endText();
    pieces.push({ kind: "media", raw, path });
  }
  endText();
  return pieces;
}

/** `""`: it is no such line. */
function pathOf(line: string): string {
  const [start] = directive.exec(line) ?? [];
  if (start === undefined) return "";
  const path = line.slice(start.length).trim();
  // Some take the instruction's brackets for a part of it.
  return path.startsWith("<") && path.endsWith(">") ? path.slice(1, -1).trim() : path;
}
