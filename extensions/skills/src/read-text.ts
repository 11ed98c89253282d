import { decodeText } from "@incipit/schema";
import type { FileAbsentReason, FileRead, FileSystem } from "@incipit/kernel";

export const fileTimeoutMs = 5_000;

export type TextRead =
  | {
      readonly kind: "read";
      /** Absolute, links resolved. */
      readonly path: string;
      /** With `\n` line endings and without byte order mark, otherwise unchanged. */
      readonly text: string;
      readonly bytes: Uint8Array;
    }
  | { readonly kind: "absent" }
  | { readonly kind: "refused"; readonly reason: string };

export interface ReadTextOptions {
  readonly within: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

export async function readText(
  fs: Pick<FileSystem, "readFile">,
  path: string,
  { within, maxBytes, signal }: ReadTextOptions,
): Promise<TextRead> {
  const read = await fs.readFile(path, { cwd: within, maxBytes, timeoutMs: fileTimeoutMs, signal });
  signal.throwIfAborted();
  if (read.kind === "absent")
    return read.reason === "not-found"
      ? { kind: "absent" }
      : { kind: "refused", reason: refusalOf(read, maxBytes) };
  const text = decodeText(read.bytes)?.text.replaceAll("\r\n", "\n");
  if (text === undefined)
    return {
      kind: "refused",
      reason: "it is not UTF-8 text, and its encoding is not recognized; save it as UTF-8",
    };
  return { kind: "read", path: read.path, text, bytes: read.bytes };
}

const reasons: Readonly<Record<FileAbsentReason, string>> = {
  "not-found": "it is not there",
  denied: "it is a link that leads out of its folder",
  "too-large": "it is too large",
  "not-a-file": "it is not a regular file",
  timeout: `it did not answer within ${fileTimeoutMs / 1_000} s`,
  failed: "the system refused it",
};

function refusalOf({ reason, detail }: Extract<FileRead, { kind: "absent" }>, maxBytes: number): string {
  if (reason === "too-large") return `it is larger than ${maxBytes} bytes`;
  return detail === undefined ? reasons[reason] : `${reasons[reason]} (${detail})`;
}
