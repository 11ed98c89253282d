import { sha256Hex } from "@incipit/common";
import type { FileAbsentReason, FileSystem, FolderFile } from "@incipit/kernel";
import type { ProfileProblem } from "@incipit/schema";
import { basename, join } from "node:path";
import { parseAgentFile } from "./agent-file.ts";
import type { AgentFolder } from "./agent-folders.ts";
import { decodeAgentText } from "./agent-text.ts";
import { parseAgentsList } from "./agents-list.ts";
import type { FoundFile } from "./found-file.ts";
import type { ParsedFile } from "./parsed-agent.ts";

const maxFiles = 2_000;
/** Maximum size of a file: the largest prompt that the host accepts, and its keys. */
export const maxFileBytes = 1_114_112;
const timeoutMs = 5_000;
const maxRememberedBytes = 33_554_432;

/** Places of agents in a folder, by precedence: the first agent of a name applies. */
export const placesInFolder = [".agents", "agents.md", ".claude/agents"] as const;
export const placesOfUser = ["agents"] as const;

export interface ReadFolder {
  readonly files: readonly FoundFile[];
  readonly problems: readonly ProfileProblem[];
}

interface Remembered {
  readonly mark: string;
  readonly sizeBytes: number;
  readonly file: Omit<FoundFile, "folder">;
}

/** Caches exactly the hashed bytes, so that the checked content takes effect. */
export class AgentReader {
  readonly #fs: Pick<FileSystem, "readFile" | "readFolder">;
  readonly #remembered = new Map<string, ReadonlyMap<string, Remembered>>();

  constructor(fs: Pick<FileSystem, "readFile" | "readFolder">) {
    this.#fs = fs;
  }

  async read(folder: AgentFolder, place: string, signal: AbortSignal): Promise<ReadFolder> {
    return place.endsWith(".md") ? this.#readList(folder, place, signal) : this.#readFolder(folder, place, signal);
  }

  async #readList(folder: AgentFolder, name: string, signal: AbortSignal): Promise<ReadFolder> {
    const read = await this.#fs.readFile(name, { cwd: folder.path, maxBytes: maxFileBytes, timeoutMs, signal });
    const path = join(folder.path, name);
    if (read.kind === "absent")
      return { files: [], problems: read.reason === "not-found" ? [] : [unreadable(path, read.reason)] };
    // On case-insensitive file systems, AGENTS.md (instructions for all agents) matches `agents.md`.
    if (basename(read.path) !== name) return { files: [], problems: [] };
    return { files: [{ folder, ...newFile(read, (text) => parseAgentsList(text)) }], problems: [] };
  }

  async #readFolder(folder: AgentFolder, place: string, signal: AbortSignal): Promise<ReadFolder> {
    const { path: cwd } = folder;
    const key = join(cwd, place);
    const before = this.#remembered.get(key) ?? new Map<string, Remembered>();
    const known = new Map([...before].map(([name, { mark }]) => [name, mark]));
    const options = { cwd, ending: ".md", maxFiles, maxBytes: maxFileBytes, known, timeoutMs, signal };
    const read = await this.#fs.readFolder(place, options);
    if (read.kind === "absent") {
      this.#remembered.delete(key);
      const isNone = read.reason === "not-found" || read.reason === "not-a-folder";
      return { files: [], problems: isNone ? [] : [unreadable(key, read.reason)] };
    }
    const files: FoundFile[] = [];
    const problems: ProfileProblem[] = [];
    const remembered = new Map<string, Remembered>();
    for (const entry of read.files) {
      const { name } = entry;
      if (/^readme\.md$/i.test(name)) continue;
      if (entry.kind === "absent") {
        problems.push(unreadable(join(key, name), entry.reason));
        continue;
      }
      const one = entry.kind === "known" ? before.get(name) : rememberedOf(entry);
      if (one === undefined) continue;
      files.push({ folder, ...one.file });
      if (one.mark !== "") remembered.set(name, one);
    }
    this.#remember(key, remembered);
    if (read.leftOut > 0) {
      const message = `The folder has ${maxFiles + read.leftOut} files of agents: the first ${maxFiles} by name are read; move some elsewhere`;
      problems.push({ code: "too-many", path: key, line: null, message });
    }
    return { files, problems };
  }

  #remember(key: string, files: ReadonlyMap<string, Remembered>): void {
    this.#remembered.delete(key);
    this.#remembered.set(key, files);
    let sizeBytes = 0;
    for (const folder of this.#remembered.values()) for (const file of folder.values()) sizeBytes += file.sizeBytes;
    for (const [oldest, folder] of this.#remembered) {
      if (sizeBytes <= maxRememberedBytes) return;
      for (const file of folder.values()) sizeBytes -= file.sizeBytes;
      this.#remembered.delete(oldest);
    }
  }
}

function rememberedOf({ name, ...read }: Extract<FolderFile, { kind: "read" }>): Remembered {
  return {
    mark: read.mark ?? "",
    sizeBytes: read.bytes.length,
    file: newFile(read, (text) => parseAgentFile(text, name)),
  };
}

function newFile(
  { path, bytes }: { readonly path: string; readonly bytes: Uint8Array },
  parse: (text: string) => Promise<ParsedFile>,
): Omit<FoundFile, "folder"> {
  let parsed: Promise<ParsedFile> | undefined;
  return {
    path,
    sha256: sha256Hex(bytes),
    bytes,
    parsed: () => (parsed ??= parsedText(bytes, parse)),
    parse,
  };
}

async function parsedText(bytes: Uint8Array, parse: (text: string) => Promise<ParsedFile>): Promise<ParsedFile> {
  const text = decodeAgentText(bytes);
  if (text !== undefined) return parse(text);
  const message =
    "The file was skipped: it is not UTF-8 text, and its encoding is not recognized; save it as UTF-8";
  return { agents: [], problems: [{ code: "not-text", line: null, message }] };
}

const reasons: Readonly<Record<FileAbsentReason | "not-a-folder", string>> = {
  "not-found": "it is not there any more",
  denied: "it is a link to a place outside the folder, or access is denied; replace the link by the file",
  "too-large": `it has more than ${maxFileBytes} bytes`,
  "not-a-file": "it is not a regular file",
  "not-a-folder": "it is not a folder",
  timeout: `it did not answer within ${timeoutMs / 1_000} s`,
  failed: "the system cannot read it",
};

function unreadable(path: string, reason: FileAbsentReason | "not-a-folder"): ProfileProblem {
  const code = reason === "too-large" ? "too-large" : "not-readable";
  return { code, path, line: null, message: `The file was skipped: ${reasons[reason]}` };
}
