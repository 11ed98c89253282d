import type { FileSystem } from "@incipit/kernel";
import type { Tool } from "@incipit/service-contract";
import * as z from "zod";
import { defineTool, type ToolCall } from "./define-tool.ts";
import { fileDiff } from "./file-diff.ts";
import { fileTimeoutMs, maxAttempts, maxFileBytes } from "./limits.ts";
import { pathGrants } from "./path-grants.ts";
import { pathSchema } from "./path-schema.ts";
import { explain, isLeft, readText } from "./workspace-file.ts";
import { reasonToAsk, writePlace } from "./write-place.ts";

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
      return fileDiff(edit.path, { from: text, to: editedText(edit, text) });
    },
    mustAsk: ({ path }, call) => reasonToAsk(fs, path, call),
    grants: pathGrants(fs),
    async run(edit, call) {
      if (edit.oldText === edit.newText)
        throw new Error('Cannot run edit_file: "newText" is the same as "oldText"');
      for (let attempt = 1; ; attempt += 1) {
        const written = await editOnce(fs, edit, call);
        if (written.kind === "written") return `Edited "${edit.path}"`;
        if (written.reason !== "changed" || attempt === maxAttempts)
          throw new Error(`Cannot edit "${edit.path}": ${explain(written)}`);
      }
    },
  });
}

async function editOnce(fs: FileSystem, edit: Edit, call: ToolCall): ReturnType<FileSystem["writeFile"]> {
  const { path } = edit;
  const { bytes, text } = await readText(fs, path, call);
  const place = await writePlace(fs, path, call);
  const content = new TextEncoder().encode(editedText(edit, text));
  if (content.length > maxFileBytes)
    throw new Error(`Cannot edit "${path}": it would have more than ${maxFileBytes} bytes`);
  const { cwd, signal } = call;
  await call.keepFile?.({ path: place, before: bytes, after: content });
  const written = await fs.writeFile(path, content, {
    cwd,
    signal,
    place,
    timeoutMs: fileTimeoutMs,
    expected: bytes,
  });
  if (isLeft(written)) await call.keepFile?.({ path: place, before: bytes, after: undefined });
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
