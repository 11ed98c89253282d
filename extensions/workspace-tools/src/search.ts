import type { Host } from "@incipit/kernel";
import type { Tool } from "@incipit/service-contract";
import { deadline } from "./deadline.ts";
import { defineTool, type ToolCall } from "./define-tool.ts";
import { findPaths } from "./find-paths.ts";
import { inOrder } from "./in-order.ts";
import { SkippedFiles } from "./skipped-files.ts";
import { fileTimeoutMs, maxFileBytes } from "./limits.ts";
import { MatchingLines } from "./matching-lines.ts";
import { pathSchema } from "./path-schema.ts";
import { compilePattern, searchPatternSchema, type SearchPattern } from "./search-pattern.ts";
import { formatPath } from "./format-path.ts";
import type { FoundFile } from "./walk-files.ts";
import { explain, explainBinary } from "./workspace-file.ts";

const timeoutMs = 30_000;
const readAtOnceBytes = 33_554_432;
const usualFileBytes = 1_048_576;

const leftOutByRule =
  "[not searched: binary files, .git, node_modules and what .gitignore names; to search such a folder or file, give it as path]";

const inputSchema = searchPatternSchema.extend({
  path: pathSchema.default(".").describe("Folder or file to search, relative to the working folder"),
});

type Powers = Pick<Host, "fs" | "spawn" | "clock">;

export function searchTool(powers: Powers): Tool {
  return defineTool({
    name: "search",
    description:
      "Searches the text files of the working folder for a text or a regular expression, and gives PATH:LINE: and the line of each match. Leaves out binary files, .git, node_modules and what .gitignore files name; does not follow links.",
    isReadOnly: true,
    input: inputSchema,
    async run({ path, ...input }, { cwd, signal }) {
      const pattern = await compilePattern(input);
      const late = deadline(powers.clock, timeoutMs);
      const call: ToolCall = { cwd, signal: AbortSignal.any([signal, late.signal]) };
      const search = new Search(powers, pattern);
      try {
        await search.searchPath(path, call);
      } catch (error) {
        signal.throwIfAborted();
        if (!late.signal.aborted) throw error;
        search.stop();
      } finally {
        late.cancel();
      }
      return search.result;
    },
  });
}

class Search {
  readonly #powers: Powers;
  readonly #pattern: SearchPattern;
  readonly #found: MatchingLines;
  readonly #leftOut = new SkippedFiles();
  #isFolder = false;
  #last = "";

  constructor(powers: Powers, pattern: SearchPattern) {
    this.#powers = powers;
    this.#pattern = pattern;
    this.#found = new MatchingLines(pattern);
  }

  get result(): string {
    const { lines, notes } = this.#found;
    const none = this.#isFolder ? ["[no match]", leftOutByRule] : ["[no match]"];
    return [...(lines.length === 0 ? none : lines), ...notes, ...this.#leftOut.notes(maxFileBytes)].join("\n");
  }

  stop(): void {
    const where = this.#last === "" ? "before the first file" : `behind ${this.#last}`;
    this.#found.notes.push(
      `[cut: stopped after ${timeoutMs / 1_000} s, ${where}; what follows was not searched: search a folder at a time]`,
    );
  }

  async searchPath(path: string, call: ToolCall): Promise<void> {
    const { fs, spawn } = this.#powers;
    const folder = await fs.list(path, { ...call, maxEntries: 1, timeoutMs: fileTimeoutMs });
    call.signal.throwIfAborted();
    if (folder.kind === "absent") {
      if (folder.reason !== "not-a-folder") throw new Error(`Cannot search "${path}": ${explain(folder)}`);
      await this.#searchFile(path, call);
      return;
    }
    this.#isFolder = true;
    const files = findPaths({
      fs,
      spawn,
      call,
      path,
      root: folder.path,
      ripgrep: this.#pattern.ripgrep,
      onUnreadable: () => this.#leftOut.addUnreadable(),
      onCut: (note) => this.#found.notes.push(note),
    });
    const prefix = path === "." ? "" : `${path.replace(/\/+$/, "")}/`;
    const read = async (file: FoundFile): Promise<{ readonly path: string; readonly bytes?: Uint8Array }> => {
      const shown = `${prefix}${file.path}`;
      const options = { ...call, maxBytes: maxFileBytes, timeoutMs: fileTimeoutMs };
      const answer = await fs.readFile(`${path}/${file.path}`, options);
      if (answer.kind === "read") return { path: shown, bytes: answer.bytes };
      if (answer.reason === "too-large") this.#leftOut.addTooLarge(formatPath(shown));
      else if (answer.reason !== "denied" && !call.signal.aborted) this.#leftOut.addUnreadable();
      return { path: shown };
    };
    const size = ({ sizeBytes = usualFileBytes }: FoundFile): number => Math.min(sizeBytes, maxFileBytes);
    for await (const { path: shown, bytes } of inOrder(files, { work: read, size, room: readAtOnceBytes })) {
      call.signal.throwIfAborted();
      if (bytes !== undefined && !(await this.#found.look(shown, bytes, call.signal))) return;
      this.#last = formatPath(shown);
    }
  }

  async #searchFile(path: string, call: ToolCall): Promise<void> {
    const file = await this.#powers.fs.readFile(path, {
      ...call,
      maxBytes: maxFileBytes,
      timeoutMs: fileTimeoutMs,
    });
    call.signal.throwIfAborted();
    if (file.kind === "absent") throw new Error(`Cannot search "${path}": ${explain(file)}`);
    const binary = explainBinary(file.bytes);
    if (binary !== undefined) throw new Error(`Cannot search "${path}": ${binary}`);
    await this.#found.look(path, file.bytes, call.signal);
  }
}
