import type { FileSystem } from "@incipit/kernel";
import type { Tool } from "@incipit/service-contract";
import * as z from "zod";
import { defineTool, type ToolCall } from "./define-tool.ts";
import { fileDiff } from "./file-diff.ts";
import { fileTimeoutMs, maxAttempts, maxFileBytes } from "./limits.ts";
import { pathGrants } from "./path-grants.ts";
import { pathSchema } from "./path-schema.ts";
import { explain, isLeft, textOf } from "./workspace-file.ts";
import { reasonToAsk, writePlace } from "./write-place.ts";

export function writeFileTool(fs: FileSystem): Tool {
  return defineTool({
    name: "write_file",
    description:
      "Writes a whole file of the working folder; folders on the way are made. A file that is there already is replaced only with overwrite.",
    approval: "ask",
    isReadOnly: false,
    keepsFiles: true,
    input: z.strictObject({
      path: pathSchema,
      content: z.string(),
      overwrite: z.boolean().default(false).describe("Replaces what is there"),
    }),
    async preview({ path, content, overwrite }, call) {
      const { signal, cwd } = call;
      const file = await fs.readFile(path, { cwd, signal, maxBytes: maxFileBytes, timeoutMs: fileTimeoutMs });
      if (file.kind === "absent" && file.reason === "not-found") return `"${path}" is a new file`;
      if (file.kind === "absent") return `What is at "${path}" cannot be read: ${explain(file)}`;
      if (!overwrite) return `"${path}" is there already: without overwrite the call fails`;
      const text = textOf(file.bytes);
      if (text === undefined) return `"${path}" is there, and is no text: all of its ${file.bytes.length} bytes go`;
      return fileDiff(path, { from: text, to: content });
    },
    mustAsk: ({ path }, call) => reasonToAsk(fs, path, call),
    grants: pathGrants(fs),
    async run({ path, content, overwrite }, call) {
      const bytes = new TextEncoder().encode(content);
      if (bytes.length > maxFileBytes)
        throw new Error(
          `Cannot run write_file: "content" has ${bytes.length} bytes; at most ${maxFileBytes} are written`,
        );
      for (let attempt = 1; ; attempt += 1) {
        const written = await writeOnce(fs, { path, bytes, overwrite }, call);
        if (written.kind === "written") return `Wrote ${bytes.length} bytes to "${path}"`;
        const isChanged = written.reason === "changed";
        if (isChanged && !overwrite)
          throw new Error(`Cannot write "${path}": it is there already; edit it, or say overwrite`);
        if (!isChanged || attempt === maxAttempts) throw new Error(`Cannot write "${path}": ${explain(written)}`);
      }
    },
  });
}

interface WholeFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly overwrite: boolean;
}

/** What is replaced is what was kept: a change that comes in between is another attempt. */
async function writeOnce(
  fs: FileSystem,
  { path, bytes, overwrite }: WholeFile,
  call: ToolCall,
): ReturnType<FileSystem["writeFile"]> {
  const place = await writePlace(fs, path, call);
  const { cwd, signal, keepFile } = call;
  const waits = { cwd, signal, timeoutMs: fileTimeoutMs };
  const before = overwrite && keepFile !== undefined ? await contentOf(fs, place, waits) : null;
  await keepFile?.({ path: place, before, after: bytes });
  const isKnown = !overwrite || (keepFile !== undefined && before !== undefined);
  const written = await fs.writeFile(path, bytes, {
    ...waits,
    place,
    createFolders: true,
    ...(isKnown ? { expected: before ?? null } : {}),
  });
  if (isLeft(written)) await keepFile?.({ path: place, before, after: undefined });
  return written;
}

/** `null`: there is none; `undefined`: it cannot be read. */
async function contentOf(
  fs: FileSystem,
  place: string,
  options: Omit<Parameters<FileSystem["readFile"]>[1], "maxBytes">,
): Promise<Uint8Array | null | undefined> {
  const file = await fs.readFile(place, { ...options, maxBytes: maxFileBytes });
  if (file.kind === "read") return file.path === place ? file.bytes : undefined;
  return file.reason === "not-found" ? null : undefined;
}
