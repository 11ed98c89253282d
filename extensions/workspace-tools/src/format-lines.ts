import { cutToBytes } from "@incipit/common";
import { maxResultBytes } from "./limits.ts";

/** Leaves room for notes. */
const maxTextBytes = maxResultBytes - 500;

export interface LineRange {
  readonly offset: number;
  readonly limit: number;
  /** First character of the first line, from 1, in UTF-16 units. */
  readonly column: number;
}

export function formatLines(text: string, { offset, limit, column }: LineRange): string {
  if (text === "") return "[the file is empty]";
  const lines = text.split(/(?<=\n)/);
  const first = lines[offset - 1];
  if (first === undefined) return `[the file has ${lines.length} lines; there is none at offset ${offset}]`;
  if (column > first.length)
    return `[line ${offset} has ${first.length} characters; there is none at column ${column}]`;
  const given: string[] = [];
  let sizeBytes = 0;
  for (const line of [first.slice(column - 1), ...lines.slice(offset, offset - 1 + limit)]) {
    sizeBytes += Buffer.byteLength(line);
    if (sizeBytes > maxTextBytes) break;
    given.push(line);
  }
  if (given.length === 0) {
    const shown = cutToBytes(first.slice(column - 1), maxTextBytes);
    return `${shown}\n[cut: line ${offset} of ${lines.length} is longer than a result may be; for more of it, say column ${column + shown.length} and go on with offset ${offset}]`;
  }
  const next = offset + given.length;
  const shown = given.join("");
  if (next > lines.length) return shown;
  return `${shown}[cut: lines ${offset} to ${next - 1} of ${lines.length}; go on with offset ${next}]`;
}
