import type { FileSystem } from "@incipit/kernel";
import type { Tool } from "@incipit/service-contract";
import * as z from "zod";
import { defineTool } from "./define-tool.ts";
import { assertGranted, pathGrants } from "./path-grants.ts";
import { pathSchema } from "./path-schema.ts";
import { formatLines } from "./format-lines.ts";
import { readText } from "./workspace-file.ts";

const defaultLines = 2_000;

export function readFileTool(fs: FileSystem): Tool {
  return defineTool({
    name: "read_file",
    description:
      "Reads a text file of the working folder. When the file is cut, the last line says so, and with which offset to go on.",
    isReadOnly: true,
    input: z.strictObject({
      path: pathSchema,
      offset: z.int().min(1).default(1).describe("First line to give; the file begins with line 1"),
      limit: z.int().min(1).default(defaultLines).describe("Most lines to give"),
      column: z.int().min(1).default(1).describe("First character of the first line, to go on in a long one"),
    }),
    grants: pathGrants(fs),
    readsOutputs: true,
    async run({ path, ...range }, call) {
      const output = await call.readOutput?.(path);
      if (output !== undefined) return formatLines(output, range);
      const { place, text, encoding } = await readText(fs, path, call);
      await assertGranted(fs, { path, place }, call);
      const shown = formatLines(text, range);
      return encoding === "UTF-8" ? shown : `${shown.replace(/\n$/, "")}\n[the file is in ${encoding}]`;
    },
  });
}
