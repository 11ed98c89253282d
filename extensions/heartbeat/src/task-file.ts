import type { FileSystem } from "@incipit/kernel";
import { decodeText } from "@incipit/schema";

const maxBytes = 65_536;
const timeoutMs = 5_000;

/** What the file has a model look after. */
export type TaskFile =
  | { readonly kind: "tasks"; readonly text: string }
  /** Nothing to do: it is missing, or has nothing but headings, comments and empty items. */
  | { readonly kind: "nothing"; readonly why: string }
  /** It cannot be used. */
  | { readonly kind: "problem"; readonly why: string };

/** Reads the file anew: what it says may change between two wakes. Never rejects for the file's sake. */
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

/** Whether a line says anything beside headings, comments and items without a word. */
export function hasTasks(text: string): boolean {
  return text
    .replaceAll(/<!--[^]*?(?:-->|$)/g, "")
    .split(/\r?\n/)
    .some((line) => !/^\s*(?:#.*|(?:[-*+]|\d+[.)])\s*(?:\[[ xX]?\])?|)\s*$/.test(line));
}
