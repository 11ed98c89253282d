import type { FileSystem } from "@incipit/kernel";
import type { Tool } from "@incipit/service-contract";
import * as z from "zod";
import { defineTool } from "./define-tool.ts";
import { fileDiff } from "./file-diff.ts";
import { fileTimeoutMs, maxFileBytes } from "./limits.ts";
import { pathGrants } from "./path-grants.ts";
import { pathSchema } from "./path-schema.ts";
import { explain, textOf } from "./workspace-file.ts";
import { reasonToAsk, writePlace } from "./write-place.ts";

export function writeFileTool(fs: FileSystem): Tool {
  return defineTool({
    name: "write_file",
    description:
      "Writes a whole file of the working folder; folders on the way are made. A file that is there already is replaced only with overwrite.",
    approval: "ask",
    isReadOnly: false,
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
      const { cwd, signal } = call;
      const written = await fs.writeFile(path, bytes, {
        cwd,
        signal,
        place: await writePlace(fs, path, call),
        timeoutMs: fileTimeoutMs,
        createFolders: true,
        ...(overwrite ? {} : { expected: null }),
      });
      if (written.kind === "written") return `Wrote ${bytes.length} bytes to "${path}"`;
      const why =
        written.reason === "changed" && !overwrite
          ? "it is there already; edit it, or say overwrite"
          : explain(written);
      throw new Error(`Cannot write "${path}": ${why}`);
    },
  });
}
