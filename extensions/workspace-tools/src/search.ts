import type { FileSystem } from "@incipit/kernel";
import type { Tool } from "@incipit/service-contract";
import type { RE2JS } from "re2js";
import * as z from "zod";
import { cutText } from "./cut-text.ts";
import { defineTool, type ToolCall } from "./define-tool.ts";
import { fileTimeoutMs, maxResultBytes } from "./limits.ts";
import { letOthersIn, Pace } from "./pace.ts";
import { pathSchema } from "./path-schema.ts";
import { explain, textOf } from "./workspace-file.ts";
import { walkFiles } from "./walk-files.ts";

const maxSearchedFileBytes = 1_048_576;
const maxFiles = 20_000;
const maxMatches = 500;
/** Longer lines are shown from a little before the match. */
const maxShownBytes = 400;
/** Room for the notes behind the matches. */
const maxMatchBytes = maxResultBytes - 1_000;
const timeoutMs = 30_000;
/** Largest compiled expression: one of a thousand characters can come to 140,000. */
const maxProgramSize = 10_000;
/**
 * What one line may take at most: its length times the size of the program. It takes no more than a tenth of a second; the rest of a
 * line is left out.
 */
const maxLineWork = 10_000_000;
/** Share of what is searched at once that one short line takes. */
const lineShare = 0.002;

const inputSchema = z.strictObject({
  pattern: z.string().min(1).max(1_000),
  isRegex: z
    .boolean()
    .default(false)
    .describe("Takes the pattern as a regular expression (RE2 syntax), line by line"),
  ignoreCase: z.boolean().default(false),
  path: pathSchema.default(".").describe("Folder or file to search, relative to the working folder"),
});

export function searchTool(fs: FileSystem): Tool {
  return defineTool({
    name: "search",
    description:
      "Searches the text files of the working folder for a text or a regular expression, and gives PATH:LINE: and the line of each match. Leaves out .git, node_modules and what .gitignore files name; does not follow links.",
    isReadOnly: true,
    input: inputSchema,
    async run(input, { cwd, signal }) {
      const pattern = await compile(input);
      const late = AbortSignal.timeout(timeoutMs);
      const call: ToolCall = { cwd, signal: AbortSignal.any([signal, late]) };
      const search = new Search(
        pattern,
        input.isRegex ? Math.floor(maxLineWork / pattern.programSize()) : Infinity,
      );
      try {
        await searchPath(fs, { path: input.path, search, call });
      } catch (error) {
        signal.throwIfAborted();
        if (!late.aborted) throw error;
        search.notes.push(`[cut: stopped after ${timeoutMs / 1_000} s]`);
      }
      if (search.lines.length === 0) search.lines.push("[no match]");
      return [...search.lines, ...search.notes].join("\n");
    },
  });
}

/** Linear in the text, whatever the model asks for: one slow expression would hold the whole host. */
async function compile({ pattern, isRegex, ignoreCase }: z.infer<typeof inputSchema>): Promise<RE2JS> {
  // Not at the top: it takes a tenth of the time in which a host is to be ready.
  const { RE2JS } = await import("re2js");
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(isRegex ? pattern : RE2JS.quote(pattern), ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`Cannot run search: "pattern" is no regular expression: ${why}`, { cause: error });
  }
  if (compiled.programSize() <= maxProgramSize) return compiled;
  throw new Error('Cannot run search: "pattern" has too many repeats; write fewer, or smaller counts');
}

class Search {
  readonly lines: string[] = [];
  readonly notes: string[] = [];
  readonly #pattern: RE2JS;
  #files = 0;
  readonly #pace = new Pace();
  #roomBytes = maxMatchBytes;
  readonly #maxLineLength: number;
  #hasLongLines = false;

  constructor(pattern: RE2JS, maxLineLength: number) {
    this.#pattern = pattern;
    this.#maxLineLength = maxLineLength;
  }

  /** `false`: enough. */
  async look(path: string, text: string, signal: AbortSignal): Promise<boolean> {
    const shownPath = /\p{Cc}/u.test(path) ? JSON.stringify(path) : path;
    for (const [index, whole] of text.split(/\r?\n/).entries()) {
      const line = this.#searched(whole);
      const share = lineShare + line.length / this.#maxLineLength;
      if (this.#pace.isTurnOfOthers(share)) await letOthersIn(signal);
      if (!this.#pattern.test(line)) continue;
      const match = `${shownPath}:${index + 1}: ${this.#shown(line)}`;
      this.#roomBytes -= Buffer.byteLength(match) + 1;
      if (this.lines.length === maxMatches || this.#roomBytes < 0) {
        this.notes.push(`[cut: there are more than ${this.lines.length} matches; search for something narrower]`);
        return false;
      }
      this.lines.push(match);
    }
    this.#files += 1;
    if (this.#files < maxFiles) return true;
    this.notes.push(`[cut: ${maxFiles} files were searched; search a folder of them]`);
    return false;
  }

  /** The part of a line that is searched. */
  #searched(line: string): string {
    if (line.length <= this.#maxLineLength) return line;
    if (!this.#hasLongLines)
      this.notes.push(`[of longer lines, the first ${this.#maxLineLength} characters were searched]`);
    this.#hasLongLines = true;
    return line.slice(0, this.#maxLineLength);
  }

  #shown(line: string): string {
    if (Buffer.byteLength(line) <= maxShownBytes) return line;
    const matcher = this.#pattern.matcher(line);
    matcher.find();
    const from = Math.max(0, matcher.start() - 80);
    return `${from > 0 ? "…" : ""}${cutText(line.slice(from), maxShownBytes)}…`;
  }
}

async function searchPath(
  fs: FileSystem,
  { path, search, call }: { readonly path: string; readonly search: Search; readonly call: ToolCall },
): Promise<void> {
  const read = (file: string): ReturnType<FileSystem["readFile"]> =>
    fs.readFile(file, { ...call, maxBytes: maxSearchedFileBytes, timeoutMs: fileTimeoutMs });
  const folder = await fs.list(path, { ...call, maxEntries: 1, timeoutMs: fileTimeoutMs });
  call.signal.throwIfAborted();
  if (folder.kind === "absent") {
    const file = folder.reason === "not-a-folder" ? await read(path) : folder;
    if (file.kind === "absent") throw new Error(`Cannot search "${path}": ${explain(file)}`);
    const text = textOf(file.bytes);
    if (text === undefined) throw new Error(`Cannot search "${path}": it is not UTF-8 text`);
    await search.look(path, text, call.signal);
    return;
  }
  let tooLarge = 0;
  const prefix = path === "." ? "" : `${path.replace(/\/+$/, "")}/`;
  for await (const found of walkFiles(fs, path, call)) {
    const file = found.sizeBytes > maxSearchedFileBytes ? undefined : await read(`${path}/${found.path}`);
    call.signal.throwIfAborted();
    if (file === undefined) tooLarge += 1;
    const text = file?.kind === "read" ? textOf(file.bytes) : undefined;
    if (text !== undefined && !(await search.look(`${prefix}${found.path}`, text, call.signal))) break;
  }
  if (tooLarge > 0)
    search.notes.push(`[${tooLarge} files of more than ${maxSearchedFileBytes} bytes were left out]`);
}
