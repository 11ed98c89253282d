import { lineDiff } from "../told/line-diff.ts";

/** `undefined` where a line has no counterpart. */
export interface SideRow {
  readonly left: string | undefined;
  readonly right: string | undefined;
  readonly isSame: boolean;
}

/** From the first to the last difference, with some context; empty for equal texts. */
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
