import type { FileSystem } from "@incipit/kernel";
import type { Tool } from "@incipit/service-contract";
import * as z from "zod";
import { askAgain } from "./allowed-change.ts";
import { defineTool, type ToolCall } from "./define-tool.ts";
import { fileDiff } from "./file-diff.ts";
import { decodeText, encodeText, type FileText } from "./file-text.ts";
import { onlyLineEnd } from "./line-ends.ts";
import { fileTimeoutMs, maxAttempts, maxFileBytes } from "./limits.ts";
import { pathGrants } from "./path-grants.ts";
import { pathSchema } from "./path-schema.ts";
import { explain, isLeft } from "./workspace-file.ts";
import { reasonToAsk, formatPath, formatPlace, writePlace } from "./write-place.ts";

const inputSchema = z.strictObject({
  path: pathSchema,
  content: z.string(),
  overwrite: z.boolean().default(false).describe("Replaces what is there"),
});
type Write = z.infer<typeof inputSchema>;

export function writeFileTool(fs: FileSystem): Tool {
  return defineTool({
    name: "write_file",
    description:
      "Writes a whole file of the working folder; folders on the way are made. A file that is there already is replaced only with overwrite, and keeps its encoding and line ends.",
    approval: "ask",
    isReadOnly: false,
    keepsFiles: true,
    input: inputSchema,
    async preview(write, call) {
      const shown = await formatPath(fs, write.path, call);
      return previewText(shown, write, await readWhole(fs, write.path, call));
    },
    mustAsk: ({ path }, call) => reasonToAsk(fs, path, call),
    grants: pathGrants(fs),
    async run(write, call) {
      const { path, content, overwrite } = write;
      let { allowedPreview } = call;
      for (let attempt = 1; ; attempt += 1) {
        const target = await findTarget(fs, write, call);
        const preview = allowedPreview === undefined ? undefined : await target.preview();
        if (preview !== undefined && preview !== allowedPreview) {
          if (attempt >= maxAttempts)
            throw new Error(`Cannot write "${path}": it goes on changing while the user is asked`);
          await askAgain(call, { tool: "write_file", input: write, preview });
          allowedPreview = preview;
          continue;
        }
        const { bytes, note } = bytesOf(content, target.before);
        const written = await writeOnce(fs, { ...target, bytes }, call);
        if (written.kind === "written") return `Wrote ${bytes.length} bytes to "${path}"${note}`;
        const isChanged = written.reason === "changed";
        if (isChanged && !overwrite)
          throw new Error(`Cannot write "${path}": it is there already; edit it, or say overwrite`);
        if (!isChanged || attempt >= maxAttempts) throw new Error(`Cannot write "${path}": ${explain(written)}`);
      }
    },
  });
}

type FoundFile = Awaited<ReturnType<FileSystem["readFile"]>>;

function readWhole(fs: FileSystem, path: string, { cwd, signal }: ToolCall): Promise<FoundFile> {
  return fs.readFile(path, { cwd, signal, maxBytes: maxFileBytes, timeoutMs: fileTimeoutMs });
}

function previewText(path: string, { content, overwrite }: Write, file: FoundFile): string | Promise<string> {
  if (file.kind === "absent" && file.reason === "not-found") return `"${path}" is a new file`;
  if (file.kind === "absent") return `What is at "${path}" cannot be read: ${explain(file)}`;
  if (!overwrite) return `"${path}" is there already: without overwrite the call fails`;
  const before = decodeText(file.bytes);
  if (before === undefined) return `"${path}" is there, and is no text: all of its ${file.bytes.length} bytes go`;
  return fileDiff(path, { from: before.text, to: formed(content, before).text });
}

/** Keeps byte order mark and line endings where the content has none. */
function formed(content: string, before: FileText): FileText {
  const end = content.includes("\r") ? undefined : onlyLineEnd(before.text);
  const text = content.replace(/^\uFEFF/, "");
  const hasMark = before.hasMark || text !== content;
  return { ...before, hasMark, text: end === undefined ? text : text.replaceAll("\n", end) };
}

function bytesOf(
  content: string,
  before: Uint8Array | null | undefined,
): { readonly bytes: Uint8Array; readonly note: string } {
  const file = decodeText(before ?? new Uint8Array());
  const encoded =
    file === undefined ? { bytes: new TextEncoder().encode(content), note: "" } : encodedLike(content, file);
  const { length } = encoded.bytes;
  if (length <= maxFileBytes) return encoded;
  throw new Error(`Cannot run write_file: "content" has ${length} bytes; at most ${maxFileBytes} are written`);
}

function encodedLike(content: string, before: FileText): ReturnType<typeof bytesOf> {
  const { text, ...form } = formed(content, before);
  try {
    const note = form.encoding === "UTF-8" ? "" : `, in ${form.encoding} as before`;
    return { bytes: encodeText(text, form), note };
  } catch {
    const note = `, in UTF-8: ${form.encoding}, in which the file was, does not have all of its characters`;
    return { bytes: encodeText(text, { ...form, encoding: "UTF-8" }), note };
  }
}

interface Target {
  readonly path: string;
  readonly place: string;
  /** `null`: absent, or the call fails if it exists; `undefined`: unreadable or not read. */
  readonly before: Uint8Array | null | undefined;
  readonly preview: () => Promise<string>;
}

async function findTarget(fs: FileSystem, write: Write, call: ToolCall): Promise<Target> {
  const { path, overwrite } = write;
  const place = await writePlace(fs, path, call);
  const isLooked = call.allowedPreview !== undefined || overwrite;
  const file = isLooked ? await readWhole(fs, place, call) : undefined;
  return {
    path,
    place,
    before: overwrite ? contentOf(file, place) : null,
    preview: async () =>
      previewText(await formatPlace(fs, { path, place }, call), write, file ?? (await readWhole(fs, place, call))),
  };
}

function contentOf(file: FoundFile | undefined, place: string): Uint8Array | null | undefined {
  if (file?.kind === "read") return file.path === place ? file.bytes : undefined;
  return file?.reason === "not-found" ? null : undefined;
}

/** Tries to write once. After a concurrent change, the caller has to try again. */
async function writeOnce(
  fs: FileSystem,
  { path, place, before, bytes }: Target & { readonly bytes: Uint8Array },
  { cwd, signal, keepFile }: ToolCall,
): ReturnType<FileSystem["writeFile"]> {
  await keepFile?.({ path: place, before, after: bytes });
  const written = await fs.writeFile(path, bytes, {
    cwd,
    signal,
    timeoutMs: fileTimeoutMs,
    place,
    createFolders: true,
    ...(before === undefined ? {} : { expected: before }),
  });
  if (isLeft(written)) await keepFile?.({ path: place, before, after: undefined });
  return written;
}
