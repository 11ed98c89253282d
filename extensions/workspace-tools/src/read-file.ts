import type { FileSystem } from "@incipit/kernel";
import type { Tool } from "@incipit/service-contract";
import * as z from "zod";
import { cutText } from "./cut-text.ts";
import { defineTool } from "./define-tool.ts";
import { maxResultBytes } from "./limits.ts";
import { assertGranted, pathGrants } from "./path-grants.ts";
import { pathSchema } from "./path-schema.ts";
import { readText } from "./workspace-file.ts";

const defaultLines = 2_000;
/** Room for the note behind the text. */
const maxTextBytes = maxResultBytes - 500;

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
    }),
    grants: pathGrants(fs),
    async run({ path, offset, limit }, call) {
      const { place, text } = await readText(fs, path, call);
      await assertGranted(fs, { path, place }, call);
      return linesOf(text.replace(/^\uFEFF/, ""), offset, limit);
    },
  });
}

function linesOf(text: string, offset: number, limit: number): string {
  if (text === "") return "[the file is empty]";
  const lines = text.split(/(?<=\n)/);
  if (offset > lines.length) return `[the file has ${lines.length} lines; there is none at offset ${offset}]`;
  const given: string[] = [];
  let sizeBytes = 0;
  for (const line of lines.slice(offset - 1, offset - 1 + limit)) {
    sizeBytes += Buffer.byteLength(line);
    if (sizeBytes > maxTextBytes) break;
    given.push(line);
  }
  const next = offset + given.length;
  if (given.length === 0)
    return `${cutText(lines[offset - 1] ?? "", maxTextBytes)}\n[cut: line ${offset} of ${lines.length} is longer than a result may be, this is its beginning; go on with offset ${next + 1}]`;
  const shown = given.join("");
  if (next > lines.length) return shown;
  return `${shown}[cut: lines ${offset} to ${next - 1} of ${lines.length}; go on with offset ${next}]`;
}
