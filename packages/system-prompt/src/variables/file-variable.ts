import { resolve } from "node:path";
import type { FileSystem } from "@incipit/kernel";
import { decodeText } from "./text-bytes.ts";
import type { Outcome } from "../types.ts";

export interface FileOptions {
  readonly fs: Pick<FileSystem, "readFile">;
  readonly cwd: string;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** `file:<path>`: its text without a byte order mark, line ends as `\n`; `sizeBytes` is what was read, 0 when absent. */
export async function readFileVariable(
  path: string,
  { fs, ...options }: FileOptions,
): Promise<{ readonly outcome: Outcome; readonly sizeBytes: number }> {
  const read = await fs.readFile(path, options);
  if (read.kind === "absent") {
    const source = resolve(options.cwd, path); // Where it was looked for.
    return { outcome: { kind: "absent", reason: read.reason, source }, sizeBytes: 0 };
  }
  const source = read.path;
  const text = read.bytes.includes(0) ? undefined : decodeText(read.bytes);
  if (text === undefined) return { outcome: { kind: "absent", reason: "not-text", source }, sizeBytes: 0 };
  const value = (text.startsWith("\u{feff}") ? text.slice(1) : text).replaceAll("\r\n", "\n");
  const origin = { kind: "file", path: source, bytes: read.bytes } as const;
  return { outcome: { kind: "value", value, source, origin }, sizeBytes: read.bytes.byteLength };
}
