import type { FileAbsentReason, FileSystem } from "@incipit/kernel";
import { escapeHiddenLine, toFilename } from "@incipit/schema";
import type { RefusedFile, ReplyFile } from "@incipit/service-contract";
import { basename, relative } from "node:path";
import { isAsNamed, typeOfName } from "./file-types.ts";
import { hiddenProblem, pathProblem } from "./path-problem.ts";
import { formatSize } from "./format-size.ts";

export const importedReason = "the conversation was imported, and its folder was not confirmed";
const timeoutMs = 30_000;
const maxShownLength = 300;

export interface FolderOptions {
  readonly fs: Pick<FileSystem, "readFile" | "locate">;
  /** `undefined` for a folder that the user did not choose, which is never read. */
  readonly cwd: string | undefined;
  readonly maxBytes: number;
  readonly tooLarge?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Reads twice to detect concurrent writes. */
export async function fileToSend(path: string, options: FolderOptions): Promise<ReplyFile | RefusedFile> {
  const found = await read(path, options);
  return typeof found === "string" ? refused(path, found) : found;
}

export function refused(path: string, why: string): RefusedFile {
  return { kind: "refused", line: shownLine(path), why };
}

function shownLine(path: string): string {
  const shown = escapeHiddenLine(path);
  const cut = shown.slice(0, maxShownLength).toWellFormed();
  return `MEDIA:${cut.length < shown.length ? `${cut}…` : cut}`;
}

async function read(
  path: string,
  { fs, cwd, maxBytes, tooLarge, signal }: FolderOptions,
): Promise<ReplyFile | string> {
  if (cwd === undefined) return importedReason;
  const problem = pathProblem(path);
  if (problem !== undefined) return problem;
  const mediaType = typeOfName(path);
  if (mediaType === undefined) return "its name is not that of an image, audio, video or document";
  const options = { cwd, maxBytes, timeoutMs, ...(signal === undefined ? {} : { signal }) };
  const [file, folder] = await Promise.all([fs.readFile(path, options), fs.locate(".", options)]);
  if (file.kind === "absent") {
    if (file.reason === "too-large") return tooLarge ?? `it has more than ${formatSize(maxBytes)}`;
    const why = reasons[file.reason];
    return file.detail === undefined || file.reason === "not-found" ? why : `${why} (${file.detail})`;
  }
  if (folder.kind === "refused") return "the working folder cannot be used";
  // A link may have a harmless name.
  const hidden = hiddenProblem(relative(folder.path, file.path));
  if (hidden !== undefined) return hidden;
  if (typeOfName(file.path) !== mediaType) return "it is a link to another kind of file";
  if (file.bytes.length === 0) return "it is empty";
  if (!isAsNamed(path, file.bytes)) return "its content does not match its name";
  const again = await fs.readFile(path, options);
  if (again.kind === "absent" || Buffer.compare(file.bytes, again.bytes) !== 0) return "it changed during reading";
  return { kind: "file", path, name: nameOf(path), mediaType, bytes: new Uint8Array(file.bytes) };
}

const reasons = {
  "not-found": "there is no such file",
  denied: "it leads out of the working folder, or may not be read",
  "not-a-file": "it is not a regular file",
  timeout: "reading it took too long",
  failed: "it could not be read",
} as const satisfies Record<Exclude<FileAbsentReason, "too-large">, string>;

function nameOf(path: string): string {
  return toFilename(basename(path));
}
