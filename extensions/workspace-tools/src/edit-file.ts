import type { FileSystem } from "@incipit/kernel";
import type { Tool } from "@incipit/service-contract";
import * as z from "zod";
import { askAgain } from "./allowed-change.ts";
import { defineTool, type ToolCall } from "./define-tool.ts";
import { fileDiff } from "./file-diff.ts";
import { fileTimeoutMs, maxAttempts, maxFileBytes } from "./limits.ts";
import { pathGrants } from "./path-grants.ts";
import { pathSchema } from "./path-schema.ts";
import { explain, isLeft, readText } from "./workspace-file.ts";
import { reasonToAsk, shownPath, shownPlace, writePlace } from "./write-place.ts";

const inputSchema = z.strictObject({
  path: pathSchema,
  oldText: z.string().min(1).describe("Text that the file holds exactly once, white space and all"),
  newText: z.string().describe("What stands in its place afterwards"),
});
type Edit = z.infer<typeof inputSchema>;

export function editFileTool(fs: FileSystem): Tool {
  return defineTool({
    name: "edit_file",
    description:
      "Replaces a text that a file of the working folder holds exactly once. Where the file's lines end in CRLF, LF in both texts stands for CRLF.",
    approval: "ask",
    isReadOnly: false,
    keepsFiles: true,
    input: inputSchema,
    async preview(edit, call) {
      const { text } = await readText(fs, edit.path, call);
      return fileDiff(await shownPath(fs, edit.path, call), { from: text, to: editedText(edit, text) });
    },
    mustAsk: ({ path }, call) => reasonToAsk(fs, path, call),
    grants: pathGrants(fs),
    async run(edit, call) {
      if (edit.oldText === edit.newText)
        throw new Error('Cannot run edit_file: "newText" is the same as "oldText"');
      let { allowedPreview } = call;
      for (let attempt = 1; ; attempt += 1) {
        const found = await findEdit(fs, edit, call);
        const preview = allowedPreview === undefined ? undefined : await found.preview();
        if (preview !== undefined && preview !== allowedPreview) {
          if (attempt >= maxAttempts)
            throw new Error(`Cannot edit "${edit.path}": it goes on changing while the user is asked`);
          await askAgain(call, { tool: "edit_file", input: edit, preview });
          allowedPreview = preview;
        } else {
          const written = await writeEdit(fs, found, call);
          if (written.kind === "written") return `Edited "${edit.path}"`;
          if (written.reason !== "changed" || attempt >= maxAttempts)
            throw new Error(`Cannot edit "${edit.path}": ${explain(written)}`);
        }
      }
    },
  });
}

/** An edit of what a file is at one moment. */
interface FoundEdit {
  readonly path: string;
  /** Absolute, links followed. */
  readonly place: string;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  readonly preview: () => Promise<string>;
}

/** @throws {Error} that says why the file cannot be edited so. */
async function findEdit(fs: FileSystem, edit: Edit, call: ToolCall): Promise<FoundEdit> {
  const { path } = edit;
  const { bytes, text } = await readText(fs, path, call);
  const place = await writePlace(fs, path, call);
  const to = editedText(edit, text);
  const after = new TextEncoder().encode(to);
  if (after.length > maxFileBytes)
    throw new Error(`Cannot edit "${path}": it would have more than ${maxFileBytes} bytes`);
  const preview = async (): Promise<string> =>
    fileDiff(await shownPlace(fs, { path, place }, call), { from: text, to });
  return { path, place, before: bytes, after, preview };
}

async function writeEdit(
  fs: FileSystem,
  { path, place, before, after }: FoundEdit,
  { cwd, signal, keepFile }: ToolCall,
): ReturnType<FileSystem["writeFile"]> {
  await keepFile?.({ path: place, before, after });
  const written = await fs.writeFile(path, after, {
    cwd,
    signal,
    place,
    timeoutMs: fileTimeoutMs,
    expected: before,
  });
  if (isLeft(written)) await keepFile?.({ path: place, before, after: undefined });
  return written;
}

function editedText({ path, oldText, newText }: Edit, text: string): string {
  return replaceOnce(path, text, toLineEnds(text, { oldText, newText }));
}

interface Texts {
  readonly oldText: string;
  readonly newText: string;
}

/** A model writes LF, whatever it has read. A file with both ends is taken as it is. */
function toLineEnds(text: string, texts: Texts): Texts {
  const hasOnlyCrlf = text.includes("\r\n") && !/(?<!\r)\n/.test(text);
  if (!hasOnlyCrlf) return texts;
  const toCrlf = (part: string): string => part.replaceAll(/\r?\n/g, "\r\n");
  return { oldText: toCrlf(texts.oldText), newText: toCrlf(texts.newText) };
}

function replaceOnce(path: string, text: string, { oldText, newText }: Texts): string {
  const at = text.indexOf(oldText);
  if (at === -1) throw new Error(`Cannot edit "${path}": "oldText" does not occur in it; read it again`);
  // One that overlaps the first is a second one too.
  if (text.includes(oldText, at + 1))
    throw new Error(`Cannot edit "${path}": "oldText" occurs more than once in it; give more of what is around it`);
  return text.slice(0, at) + newText + text.slice(at + oldText.length);
}
