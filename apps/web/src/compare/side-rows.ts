import { lineDiff } from "../told/line-diff.ts";

/** A line of one text beside what stands in its place in the other; `undefined`: nothing does. */
export interface SideRow {
  readonly left: string | undefined;
  readonly right: string | undefined;
  readonly isSame: boolean;
}

/** Two texts line by line, from the first line that differs to the last, with some around them; none: they are the same. */
export function sideRows(left: string, right: string): readonly SideRow[] {
  const rows: SideRow[] = [];
  const waiting: { left: string[]; right: string[] } = { left: [], right: [] };
  const flush = (): void => {
    const count = Math.max(waiting.left.length, waiting.right.length);
    for (let index = 0; index < count; index += 1)
      rows.push({ left: waiting.left[index], right: waiting.right[index], isSame: false });
    waiting.left = [];
    waiting.right = [];
  };
  for (const line of lineDiff(left, right).hunks.flatMap(({ lines }) => lines)) {
    const text = line.slice(1);
    if (line.startsWith("-")) waiting.left.push(text);
    else if (line.startsWith("+")) waiting.right.push(text);
    else {
      flush();
      rows.push({ left: text, right: text, isSame: true });
    }
  }
  flush();
  return rows;
}
