import { sha256Hex } from "@incipit/common";
import type { FileAbsentReason, FileSystem } from "@incipit/kernel";
import { decodeText, type TextEncodingName } from "@incipit/schema";
import type { FileTrust, FolderTrust, LeftOutVariableFile, UntrustedPolicy } from "@incipit/service-contract";
import { cursorRule } from "./cursor-rule.ts";

export const fileTimeoutMs = 5_000;
/** Per file and per variable; the limit of an extension's value. */
export const maxBytes = 262_144;
const maxCursorRules = 500;
const maxCursorBytes = 65_536;

/** Read once, so that the included text is the hashed one. */
export interface RuleFile {
  readonly path: string;
  readonly text: string;
  readonly sizeBytes: number;
  readonly encoding: TextEncodingName;
  readonly sha256: string;
}

export type RuleRead =
  | { readonly kind: "read"; readonly file: RuleFile }
  | { readonly kind: "left-out"; readonly leftOut: LeftOutVariableFile };

export interface RuleFilesOptions {
  readonly fs: Pick<FileSystem, "list" | "readFile" | "readFolder">;
  readonly trust: FolderTrust | undefined;
  readonly untrusted: UntrustedPolicy;
  readonly signal: AbortSignal;
}

export class RuleFiles {
  readonly #options: RuleFilesOptions;

  constructor(options: RuleFilesOptions) {
    this.#options = options;
  }

  /** @param within Root that links may not leave. */
  async read(path: string, within: string): Promise<RuleRead | undefined> {
    const { fs, signal } = this.#options;
    const read = await fs.readFile(path, { cwd: within, maxBytes, timeoutMs: fileTimeoutMs, signal });
    signal.throwIfAborted();
    if (read.kind === "absent") {
      // A broken link has a detail.
      if (read.reason === "not-found" && read.detail === undefined) return undefined;
      return unreadable(path, read, maxBytes);
    }
    return ruleRead(read);
  }

  async readCursorRules(folder: string): Promise<readonly RuleRead[]> {
    const { fs, signal } = this.#options;
    const place = `${folder}/.cursor/rules`;
    const options = { ending: ".mdc", maxFiles: maxCursorRules, maxBytes: maxCursorBytes, known: new Map() };
    const read = await fs.readFolder(place, { cwd: folder, ...options, timeoutMs: fileTimeoutMs, signal });
    signal.throwIfAborted();
    if (read.kind === "absent") {
      if (read.reason === "not-found" || read.reason === "not-a-folder") return [];
      return [unreadable(place, read, maxCursorBytes)];
    }
    const reads = read.files.flatMap((entry): readonly RuleRead[] => {
      if (entry.kind === "known") return [];
      const path = `${place}/${entry.name}`;
      if (entry.kind === "absent")
        return entry.reason === "not-found" && entry.detail === undefined
          ? []
          : [unreadable(path, entry, maxCursorBytes)];
      const found = ruleRead(entry);
      if (found.kind === "left-out") return [found];
      const rule = cursorRule(found.file.text);
      if (rule.kind === "told") return [{ kind: "read", file: { ...found.file, text: rule.text } }];
      return [leftOut(found.file.path, "not-applied", rule.reason)];
    });
    if (read.leftOut === 0) return reads;
    const why = `it has ${maxCursorRules + read.leftOut} rules, only the first ${maxCursorRules} by name are used`;
    return [...reads, leftOut(place, "too-many", why)];
  }

  /** @param within Root that links may not leave. */
  async hasFolder(path: string, within: string): Promise<boolean> {
    const { fs, signal } = this.#options;
    const listed = await fs.list(path, { cwd: within, maxEntries: 0, timeoutMs: fileTimeoutMs, signal });
    signal.throwIfAborted();
    return listed.kind === "listed";
  }

  async judge(files: readonly RuleFile[]): Promise<readonly FileTrust[]> {
    const { trust } = this.#options;
    if (trust === undefined || files.length === 0) return files.map(() => "not-trusted");
    return trust.judgeFiles(files.map(({ path, sha256 }) => ({ path, sha256 })));
  }

  /** Returns whether a file of a known location is included, like `[file:AGENTS.md]`. */
  isTold(trust: FileTrust): boolean {
    return trust === "trusted" || this.#options.untrusted !== "blank";
  }
}

export function leftOut(
  path: string,
  reason: LeftOutVariableFile["reason"],
  why: string,
): RuleRead & { readonly kind: "left-out" } {
  return { kind: "left-out", leftOut: { path, reason, why } };
}

export function trustWords(trust: FileTrust): string {
  return trust === "changed" ? "it has changed since it was trusted" : "it is not trusted";
}

function ruleRead({ path, bytes }: { readonly path: string; readonly bytes: Uint8Array }): RuleRead {
  const decoded = decodeText(bytes);
  if (decoded === undefined)
    return leftOut(path, "not-text", "it is not UTF-8 text, and its encoding is not recognized; save it as UTF-8");
  const { encoding } = decoded;
  const text = decoded.text.replaceAll("\r\n", "\n");
  const sha256 = sha256Hex(bytes);
  return { kind: "read", file: { path, text, sizeBytes: bytes.length, encoding, sha256 } };
}

const reasons: Readonly<Record<FileAbsentReason, string>> = {
  "not-found": "it is not there",
  denied: "it is outside of the repository, or links there",
  "too-large": "it is too large",
  "not-a-file": "it is not a regular file",
  timeout: `it did not answer within ${fileTimeoutMs / 1_000} s`,
  failed: "the system refused it",
};

function unreadable(
  path: string,
  { reason, detail }: { readonly reason: FileAbsentReason | "not-a-folder"; readonly detail?: string },
  limit: number,
): RuleRead & { readonly kind: "left-out" } {
  if (reason === "not-a-folder") return leftOut(path, "not-a-file", "it is not a folder");
  if (reason === "too-large") return leftOut(path, reason, `it is larger than ${limit} bytes`);
  return leftOut(path, reason, reason === "failed" ? reasons.failed : (detail ?? reasons[reason]));
}
