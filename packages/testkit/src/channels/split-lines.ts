/** Between lines where possible; a cut fence is closed and reopened. */
export function splitLines(markdown: string, maxLength: number): readonly string[] {
  const parts: string[] = [];
  let part = "";
  let fence: string | undefined;
  const end = (): void => {
    const whole = fence === undefined ? part : `${part}\n${fence}`;
    if (part.trim() !== "" && part !== fence) parts.push(whole);
    part = fence ?? "";
  };
  const room = (): number => maxLength - (fence === undefined ? 0 : fence.length + 1) - (part === "" ? 0 : 1);
  for (const line of markdown.split("\n")) {
    const mark = /^(`{3,})/.exec(line)?.[1];
    for (const piece of piecesOf(line, maxLength - 20)) {
      if (part !== "" && part.length + piece.length > room()) end();
      part = part === "" ? piece : `${part}\n${piece}`;
    }
    if (mark !== undefined) fence = fence === undefined ? mark : undefined;
  }
  if (part.trim() !== "") parts.push(part);
  return parts;
}

/** Never splits a surrogate pair. */
function piecesOf(line: string, maxLength: number): readonly string[] {
  const pieces: string[] = [];
  let rest = line;
  while (rest.length > maxLength) {
    const end = /[\uD800-\uDBFF]$/.test(rest.slice(0, maxLength)) ? maxLength - 1 : maxLength;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...pieces, rest];
}
