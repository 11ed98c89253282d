/** `formatLines` at each end of longer texts. */
const maxLines = 24;
const shownLines = 10;
const maxLineCharacters = 1_000;

export function foldedText(text: string): string {
  const lines = text.split("\n");
  const shown =
    lines.length <= maxLines
      ? lines
      : [
          ...lines.slice(0, shownLines),
          `… ${(lines.length - 2 * shownLines).toLocaleString("en-US")} more lines …`,
          ...lines.slice(-shownLines),
        ];
  return shown.map(foldedLine).join("\n");
}

function foldedLine(line: string): string {
  if (line.length <= maxLineCharacters) return line;
  const left = (line.length - maxLineCharacters).toLocaleString("en-US");
  return `${line.slice(0, maxLineCharacters).toWellFormed()}… (${left} characters more)`;
}
