/** Keeps bracketed parts, such as `[--model NAME]`, on one line where they fit. */
export function wrapText(text: string, width: number): readonly string[] {
  const pieces = (text.match(/\[[^\]]*\]|\S+/g) ?? []).flatMap((piece) =>
    piece.length > width ? piece.split(" ") : [piece],
  );
  const lines: string[] = [];
  for (const piece of pieces) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + piece.length <= width) lines[lines.length - 1] = `${last} ${piece}`;
    else lines.push(piece);
  }
  return lines;
}
