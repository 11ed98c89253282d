import type {
  FileAbsentReason,
  FileRefusedReason,
  FileSystem,
  FileWrite,
  FolderAbsentReason,
} from "@incipit/kernel";
import type { ToolCall } from "./define-tool.ts";
import { decodeText, type FileText } from "./file-text.ts";
import { fileTimeoutMs, maxFileBytes } from "./limits.ts";

interface WorkspaceFile extends FileText {
  readonly place: string;
  readonly bytes: Uint8Array;
}

export async function readText(fs: FileSystem, path: string, { cwd, signal }: ToolCall): Promise<WorkspaceFile> {
  const file = await fs.readFile(path, { cwd, signal, maxBytes: maxFileBytes, timeoutMs: fileTimeoutMs });
  if (file.kind === "absent") throw new Error(`Cannot read "${path}": ${explain(file)}`);
  const decoded = decodeText(file.bytes);
  if (decoded !== undefined) return { place: file.path, bytes: file.bytes, ...decoded };
  const why = explainBinary(file.bytes) ?? "it has control characters, and is no text";
  throw new Error(`Cannot read "${path}": ${why}`);
}

const kinds: readonly (readonly [name: string, ...bytes: (number | undefined)[]])[] = [
  ["a PNG image", 0x89, 0x50, 0x4e, 0x47],
  ["a JPEG image", 0xff, 0xd8, 0xff],
  ["a GIF image", 0x47, 0x49, 0x46, 0x38],
  ["a WebP image", 0x52, 0x49, 0x46, 0x46, undefined, undefined, undefined, undefined, 0x57, 0x45, 0x42, 0x50],
  ["a PDF document", 0x25, 0x50, 0x44, 0x46],
  ["a ZIP archive, or a document that is one", 0x50, 0x4b, 0x03, 0x04],
  ["gzip data", 0x1f, 0x8b],
  ["a program (ELF)", 0x7f, 0x45, 0x4c, 0x46],
  ["a SQLite database", 0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20],
  ["UTF-16 text", 0xff, 0xfe],
  ["UTF-16 text", 0xfe, 0xff],
];

export function explainBinary(bytes: Uint8Array): string | undefined {
  if (!bytes.includes(0)) return undefined;
  const kind = kinds.find(([, ...start]) => start.every((byte, at) => byte === undefined || byte === bytes[at]));
  const what = kind === undefined ? "" : `, ${kind[0]}`;
  return `it is a binary file${what} (${bytes.length} bytes), and no text`;
}

export function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns whether a refused write certainly left the file unchanged, which is unknown after a timeout or a failure. */
export function isLeft(written: FileWrite): boolean {
  return written.kind === "refused" && written.reason !== "timeout" && written.reason !== "failed";
}

const sentences = {
  "not-found": "there is no such path",
  denied: "it is outside of the working folder, or may not be touched",
  "too-large": "it is too large",
  "not-a-file": "it is not a regular file",
  "not-a-folder": "it is not a folder",
  changed: "it was changed by somebody else meanwhile; read it again",
  timeout: "it took too long",
  failed: "it failed",
} as const satisfies Record<FileAbsentReason | FolderAbsentReason | FileRefusedReason, string>;

export function explain(answer: { readonly reason: keyof typeof sentences; readonly detail?: string }): string {
  const { reason, detail } = answer;
  return detail === undefined ? sentences[reason] : `${sentences[reason]} (${detail})`;
}
