/** Start of a fenced code block, also in quotes and lists: https://spec.commonmark.org/0.31.2/#fenced-code-blocks */
const opening = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)*(`{3,}(?!.*`)|~{3,})/;

/** Changes the lines of Markdown outside code blocks. */
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

/** Like `outsideCode`, for all lines. */
export function everywhere(markdown: string, change: (line: string) => string): string {
  return markdown.split("\n").map(change).join("\n");
}
