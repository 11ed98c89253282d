import { FenceScanner } from "./fence-scanner.ts";

export type ReplyPiece =
  | { readonly kind: "text"; readonly raw: string }
  | { readonly kind: "media"; readonly raw: string; readonly path: string };

const directive = /^ {0,3}(?:(?:[-*+]|\d{1,9}[.)]) {1,3})?([*_`~"'“‘«([]*)MEDIA:/;
const closings: Readonly<Record<string, string>> = {
  "*": "*",
  _: "_",
  "`": "`",
  "~": "~",
  '"': '"',
  "'": "'",
  "“": "”",
  "‘": "’",
  "«": "»",
  "(": ")",
  "[": "]",
  "<": ">",
};

/** Takes linear time. */
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

function pathOf(line: string): string {
  const [start, marks = ""] = directive.exec(line) ?? [];
  if (start === undefined) return "";
  const rest = line.slice(start.length).trim();
  if (marks === "") return unwrapped(rest);
  // `**MEDIA:** x.png`: only the word is emphasized.
  const closing = Array.from(marks).toReversed().map(closingOf).join("");
  if (rest.startsWith(closing)) return unwrapped(rest.slice(closing.length).trim());
  const path = rest.replace(/[.,;!]$/, "");
  if (path.endsWith(closing)) return unwrapped(path.slice(0, -closing.length).trim());
  // Text after the closing marks makes it prose, not a directive.
  return rest.includes(closing) ? "" : unwrapped(rest);
}

/** Removes brackets around a path, which some models copy from the instruction. */
function unwrapped(path: string): string {
  let [start, end] = [0, path.length];
  while (end - start > 1 && closings[path.charAt(start)] === path.charAt(end - 1))
    [start, end] = [start + 1, end - 1];
  return path.slice(start, end).trim();
}

function closingOf(mark: string): string {
  return closings[mark] ?? mark;
}
