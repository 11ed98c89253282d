import type { FileSystem } from "@incipit/kernel";
import type { Tool } from "@incipit/service-contract";
import * as z from "zod";
import { defineTool } from "./define-tool.ts";
import { assertGranted, pathGrants } from "./path-grants.ts";
import { pathSchema } from "./path-schema.ts";
import { readText } from "./workspace-file.ts";
import { cutToBytes } from "@incipit/common";
import { maxResultBytes } from "./limits.ts";

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

/** Leaves room for notes. */
const maxTextBytes = maxResultBytes - 500;

interface LineRange {
  readonly offset: number;
  readonly limit: number;
  /** First character of the first line, from 1, in UTF-16 units. */
  readonly column: number;
}

function formatLines(text: string, { offset, limit, column }: LineRange): string {
  if (text === "") return "[the file is empty]";
  const lines = text.split(/(?<=\n)/);
  const first = lines[offset - 1];
  if (first === undefined) return `[the file has ${lines.length} lines; there is none at offset ${offset}]`;
  if (column > first.length)
    return `[line ${offset} has ${first.length} characters; there is none at column ${column}]`;
  const given: string[] = [];
  let sizeBytes = 0;
  for (const line of [first.slice(column - 1), ...lines.slice(offset, offset - 1 + limit)]) {
    sizeBytes += Buffer.byteLength(line);
    if (sizeBytes > maxTextBytes) break;
    given.push(line);
  }
  if (given.length === 0) {
    const shown = cutToBytes(first.slice(column - 1), maxTextBytes);
    return `${shown}\n[cut: line ${offset} of ${lines.length} is longer than a result may be; for more of it, say column ${column + shown.length} and go on with offset ${offset}]`;
  }
  const next = offset + given.length;
  const shown = given.join("");
  if (next > lines.length) return shown;
  return `${shown}[cut: lines ${offset} to ${next - 1} of ${lines.length}; go on with offset ${next}]`;
}
