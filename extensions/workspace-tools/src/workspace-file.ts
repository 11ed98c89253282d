import type { FileAbsentReason, FileRefusedReason, FileSystem, FolderAbsentReason } from "@incipit/kernel";
import type { ToolCall } from "./define-tool.ts";
import { fileTimeoutMs, maxFileBytes } from "./limits.ts";

interface WorkspaceFile {
  readonly bytes: Uint8Array;
  /** As it is, a byte order mark too. */
  readonly text: string;
}

/** @throws {Error} that says why it cannot be read as text. */
export async function readText(fs: FileSystem, path: string, { cwd, signal }: ToolCall): Promise<WorkspaceFile> {
  const file = await fs.readFile(path, { cwd, signal, maxBytes: maxFileBytes, timeoutMs: fileTimeoutMs });
  if (file.kind === "absent") throw new Error(`Cannot read "${path}": ${explain(file)}`);
  const text = textOf(file.bytes);
  if (text === undefined) throw new Error(`Cannot read "${path}": it is not UTF-8 text`);
  return { bytes: file.bytes, text };
}

/** `undefined`: no text, as far as a tool is concerned. */
export function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const sentences = {
  "not-found": "there is no such path",
  denied: "it is outside of the working folder, or may not be touched",
  "too-large": "it is too large",
  "not-a-file": "it is no regular file",
  "not-a-folder": "it is no folder",
  changed: "it was changed by somebody else meanwhile; read it again",
  timeout: "it took too long",
  failed: "it failed",
} as const satisfies Record<FileAbsentReason | FolderAbsentReason | FileRefusedReason, string>;

export function explain(answer: { readonly reason: keyof typeof sentences; readonly detail?: string }): string {
  const { reason, detail } = answer;
  return detail === undefined ? sentences[reason] : `${sentences[reason]} (${detail})`;
}
