/** Also in quotes and lists: https://spec.commonmark.org/0.31.2/#fenced-code-blocks */
const opening = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)*(`{3,}(?!.*`)|~{3,})/;

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

export function everywhere(markdown: string, change: (line: string) => string): string {
  return markdown.split("\n").map(change).join("\n");
}
