import type { FileSystem } from "@incipit/kernel";
import { decodeText } from "@incipit/schema";

const maxBytes = 65_536;
const timeoutMs = 5_000;

export type TaskFile =
  | { readonly kind: "tasks"; readonly text: string }
  /** Missing, or contains only headings, rules, comments, empty fences and empty items. */
  | { readonly kind: "nothing"; readonly why: string }
  | { readonly kind: "problem"; readonly why: string };

/** Never rejects because of the file. */
export async function readTaskFile(
  fs: Pick<FileSystem, "readFile">,
  { file, cwd, signal }: { readonly file: string; readonly cwd: string; readonly signal: AbortSignal },
): Promise<TaskFile> {
  const read = await fs.readFile(file, { cwd, maxBytes, timeoutMs, signal });
  if (read.kind === "absent") {
    if (read.reason === "not-found") return { kind: "nothing", why: `there is no ${file} in ${cwd}` };
    const why = read.reason === "too-large" ? `has more than ${maxBytes} bytes` : `cannot be read (${read.reason})`;
    return { kind: "problem", why: `${file} in ${cwd} ${why}` };
  }
  const text = decodeText(read.bytes)?.text;
  if (text === undefined) {
    const why = "is not UTF-8 text, and its encoding is not recognized; save it as UTF-8";
    return { kind: "problem", why: `${file} in ${cwd} ${why}` };
  }
  return hasTasks(text) ? { kind: "tasks", text } : { kind: "nothing", why: `${file} in ${cwd} has nothing to do` };
}

/** Patterns of lines without a task. Lines inside a fence are treated like any other. */
const emptyLines = [
  /^#.*$/,
  /^=+$/,
  /^(?:[-*_][ \t]*){3,}$/,
  /^(?:`{3,}[^`]*|~{3,}.*)$/,
  /^[> \t]*$/,
  /^(?:[-*+]|\d{1,9}[.)])[ \t]*(?:\[[ xX]?\])?$/,
];

export function hasTasks(text: string): boolean {
  const lines = text
    .replaceAll(/<!--[^]*?(?:-->|$)/g, "")
    .split(/\r\n?|\n/)
    .map((line) => line.trim());
  // A line above `=` is a heading; a line above `-` may be a task followed by a rule.
  return lines.some(
    (line, index) => !emptyLines.some((empty) => empty.test(line)) && !/^=+$/.test(lines[index + 1] ?? ""),
  );
}
