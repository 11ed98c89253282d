import { errorMessage, type FileSystem } from "@incipit/kernel";
import type { Tool } from "@incipit/service-contract";
import * as z from "zod";
import { askAgain } from "./allowed-change.ts";
import { defineTool, type ToolCall } from "./define-tool.ts";
import { fileDiff } from "./file-diff.ts";
import { encodeText, type FileText } from "./file-text.ts";
import { fileTimeoutMs, maxAttempts, maxFileBytes } from "./limits.ts";
import { pathGrants } from "./path-grants.ts";
import { pathSchema } from "./path-schema.ts";
import { replaceOnce } from "./replace-once.ts";
import { explain, isLeft, readText } from "./workspace-file.ts";
import { reasonToAsk, formatPath, formatPlace, writePlace } from "./write-place.ts";

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
      "Replaces a text that a file of the working folder holds exactly once. Line ends need not be those of the file, which keeps its own, and its encoding.",
    approval: "ask",
    isReadOnly: false,
    keepsFiles: true,
    input: inputSchema,
    async preview(edit, call) {
      const file = await readText(fs, edit.path, call);
      const to = editedText(edit, file);
      encodedEdit(edit.path, to, file);
      return fileDiff(await formatPath(fs, edit.path, call), { from: file.text, to });
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

interface FoundEdit {
  readonly path: string;
  readonly place: string;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  readonly preview: () => Promise<string>;
}

async function findEdit(fs: FileSystem, edit: Edit, call: ToolCall): Promise<FoundEdit> {
  const { path } = edit;
  const file = await readText(fs, path, call);
  const { bytes, text } = file;
  const place = await writePlace(fs, path, call);
  const to = editedText(edit, file);
  const after = encodedEdit(path, to, file);
  if (after.length > maxFileBytes)
    throw new Error(`Cannot edit "${path}": it would have more than ${maxFileBytes} bytes`);
  const preview = async (): Promise<string> =>
    fileDiff(await formatPlace(fs, { path, place }, call), { from: text, to });
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

function editedText({ path, oldText, newText }: Edit, { text, hasMark }: FileText): string {
  // The byte order mark is not part of the text, even if another tool showed it to the model.
  const bare = (part: string): string => (hasMark ? part.replace(/^\uFEFF/, "") : part);
  const replaced = replaceOnce(text, { oldText: bare(oldText), newText: bare(newText) });
  switch (replaced.kind) {
    case "replaced":
      return replaced.text;
    case "absent":
      throw new Error(`Cannot edit "${path}": "oldText" does not occur in it; read it again`);
    case "several":
      throw new Error(
        `Cannot edit "${path}": "oldText" occurs more than once in it; give more of what is around it`,
      );
  }
}

function encodedEdit(path: string, text: string, form: FileText): Uint8Array {
  try {
    return encodeText(text, form);
  } catch (error) {
    throw new Error(`Cannot edit "${path}": ${errorMessage(error)}`, { cause: error });
  }
}
