/** What opens a block of code, also in a quotation or in a list: https://spec.commonmark.org/0.31.2/#fenced-code-blocks */
const opening = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)*(`{3,}(?!.*`)|~{3,})/;

/** The lines of Markdown, with those outside of blocks of code changed. */
export function outsideCode(markdown: string, change: (line: string) => string): string {
  let open: string | undefined;
  const lines = markdown.split("\n").map((line) => {
    if (open === undefined) {
      open = opening.exec(line)?.[1];
      return open === undefined ? change(line) : line;
    }
    const marks = line.replace(/^[\s>]*/, "").trimEnd();
    if (marks.startsWith(open) && marks === (open[0] ?? "").repeat(marks.length)) open = undefined;
    return line;
  });
  return lines.join("\n");
}

/** As `outsideCode`, where nothing is taken for code. */
export function everywhere(markdown: string, change: (line: string) => string): string {
  return markdown.split("\n").map(change).join("\n");
}
