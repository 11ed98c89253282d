import type { TextDiff } from "@incipit/schema";

const contextLines = 3;
/** Larger texts are shown as one block each. */
const mostCells = 4_000_000;

/** Compares two texts by lines; equal texts have no hunk. */
export function lineDiff(before: string, after: string): Pick<TextDiff, "hunks"> {
  if (before === after) return { hunks: [] };
  const [ours, theirs] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < ours.length && start < theirs.length && ours[start] === theirs[start]) start += 1;
  let end = 0;
  while (
    end < Math.min(ours.length, theirs.length) - start &&
    ours[ours.length - 1 - end] === theirs[theirs.length - 1 - end]
  )
    end += 1;
  const ahead = ours.slice(Math.max(0, start - contextLines), start);
  const behind = ours.slice(ours.length - end, ours.length - end + contextLines);
  const middle = between(ours.slice(start, ours.length - end), theirs.slice(start, theirs.length - end));
  const around = ahead.length + behind.length;
  const first = start - ahead.length + 1;
  const hunk = {
    oldStart: first,
    oldLines: ours.length - start - end + around,
    newStart: first,
    newLines: theirs.length - start - end + around,
    lines: [...ahead.map(inBoth), ...middle, ...behind.map(inBoth)],
  };
  return { hunks: [hunk] };
}

function inBoth(line: string): string {
  return ` ${line}`;
}

function between(ours: readonly string[], theirs: readonly string[]): readonly string[] {
  const width = theirs.length + 1;
  const lines: string[] = [];
  let [row, column] = [0, 0];
  if ((ours.length + 1) * width <= mostCells) {
    const lengths = commonLengths(ours, theirs);
    const at = (ourIndex: number, theirIndex: number): number => lengths[ourIndex * width + theirIndex] ?? 0;
    while (row < ours.length && column < theirs.length) {
      const text = ours[row] ?? "";
      if (text === theirs[column]) {
        lines.push(inBoth(text));
        row += 1;
        column += 1;
      } else if (at(row + 1, column) >= at(row, column + 1)) {
        lines.push(`-${text}`);
        row += 1;
      } else {
        lines.push(`+${theirs[column] ?? ""}`);
        column += 1;
      }
    }
  }
  for (const text of ours.slice(row)) lines.push(`-${text}`);
  for (const text of theirs.slice(column)) lines.push(`+${text}`);
  return lines;
}

function commonLengths(ours: readonly string[], theirs: readonly string[]): Uint32Array {
  const width = theirs.length + 1;
  const lengths = new Uint32Array((ours.length + 1) * width);
  for (let row = ours.length - 1; row >= 0; row -= 1)
    for (let column = theirs.length - 1; column >= 0; column -= 1) {
      const below = (row + 1) * width + column;
      lengths[row * width + column] =
        ours[row] === theirs[column]
          ? (lengths[below + 1] ?? 0) + 1
          : Math.max(lengths[below] ?? 0, lengths[row * width + column + 1] ?? 0);
    }
  return lengths;
}
