import type { Host } from "@incipit/kernel";
import type { Tool } from "@incipit/service-contract";
import * as z from "zod";
import { deadline } from "./deadline.ts";
import { defineTool, type ToolCall } from "./define-tool.ts";
import { findPaths } from "./find-paths.ts";
import { GlobPattern } from "./glob-pattern.ts";
import { SkippedFiles } from "./skipped-files.ts";
import { fileTimeoutMs, maxFileBytes } from "./limits.ts";
import { modifiedFiles } from "./modified-files.ts";
import { NewestFiles } from "./newest-files.ts";
import { yieldToEventLoop, Pace } from "./pace.ts";
import { pathSchema } from "./path-schema.ts";
import type { FoundFile } from "./walk-files.ts";
import { explain } from "./workspace-file.ts";

const timeoutMs = 30_000;
const pathShare = 0.002;
const stepsAtOnce = 1_000_000;

const inputSchema = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .max(1_000)
    .describe(
      "Glob such as src/**/*.{js,ts}; without a slash, such as package.json, it is for all folders. A backslash takes the next letter as it is",
    ),
  path: pathSchema.default(".").describe("Folder to look below, relative to the working folder"),
  ignoreCase: z.boolean().default(false),
  withHidden: z.boolean().default(false).describe("Lets wildcards stand for names that begin with a dot"),
  withIgnored: z.boolean().default(false).describe("Also node_modules and what .gitignore files name"),
});
type Input = z.infer<typeof inputSchema>;

type Powers = Pick<Host, "fs" | "spawn" | "clock">;

export function findFilesTool(powers: Powers): Tool {
  return defineTool({
    name: "find_files",
    description:
      "Finds files of the working folder by name, and gives their paths, the most recently changed first. Leaves out folders, links, hidden files, .git, node_modules and what .gitignore files name.",
    isReadOnly: true,
    input: inputSchema,
    async run(input, { cwd, signal }) {
      const late = deadline(powers.clock, timeoutMs);
      const call: ToolCall = { cwd, signal: AbortSignal.any([signal, late.signal]) };
      const finding = new Finding(powers, input);
      try {
        await finding.look(call);
      } catch (error) {
        signal.throwIfAborted();
        if (!late.signal.aborted) throw error;
        finding.stop();
      } finally {
        late.cancel();
      }
      return finding.result;
    },
  });
}

class Finding {
  readonly #powers: Powers;
  readonly #input: Input;
  readonly #found = new NewestFiles();
  readonly #leftOut = new SkippedFiles();
  readonly #notes: string[] = [];
  #hidden = 0;
  #unknown = 0;

  constructor(powers: Powers, input: Input) {
    this.#powers = powers;
    this.#input = input;
  }

  get result(): string {
    const { lines, note } = this.#found.shown;
    return [
      ...(lines.length === 0 ? this.#noneNotes() : lines),
      ...(note === undefined ? [] : [note]),
      ...hiddenNote(this.#hidden),
      ...unknownNote(this.#unknown),
      ...this.#notes,
      ...this.#leftOut.notes(maxFileBytes),
    ].join("\n");
  }

  stop(): void {
    this.#notes.push(
      `[cut: stopped after ${timeoutMs / 1_000} s, before all files were looked at; go on with a folder at a time]`,
    );
  }

  async look(call: ToolCall): Promise<void> {
    const { fs, spawn } = this.#powers;
    const { path, withIgnored } = this.#input;
    const folder = await fs.list(path, { ...call, maxEntries: 1, timeoutMs: fileTimeoutMs });
    call.signal.throwIfAborted();
    if (folder.kind === "absent") throw new Error(`Cannot look below "${path}": ${explain(folder)}`);
    const pattern = this.#pattern(folder.path);
    const onUnreadable = (): void => this.#leftOut.addUnreadable();
    const files = findPaths({
      fs,
      spawn,
      call,
      path,
      root: folder.path,
      ripgrep: ["--files"],
      withIgnored,
      mayHold: (below) => pattern.mayHold(below),
      wants: this.#wants(pattern, call.signal),
      onUnreadable,
      onCut: (note) => this.#notes.push(note),
    });
    const prefix = path === "." ? "" : `${path.replace(/\/+$/, "")}/`;
    const fitting = this.#fitting(files, pattern);
    for await (const file of modifiedFiles(fs, fitting, { call, root: folder.path, onUnreadable }))
      this.#found.add({ path: `${prefix}${file.path}`, modifiedAtMs: file.modifiedAtMs });
  }

  #pattern(root: string): GlobPattern {
    const { pattern, ignoreCase, withHidden } = this.#input;
    // Models also send absolute paths.
    const below = pattern.startsWith(`${root}/`) ? `.${pattern.slice(root.length)}` : pattern;
    try {
      return new GlobPattern(below, { ignoreCase, withHidden });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`Cannot run find_files: "pattern" ${why}`, { cause: error });
    }
  }

  #wants(pattern: GlobPattern, signal: AbortSignal): (path: string) => Promise<boolean> {
    const pace = new Pace();
    return async (path) => {
      const share = pathShare + (pattern.length * path.length) / stepsAtOnce;
      if (pace.isTurnOfOthers(share)) await yieldToEventLoop(signal);
      const verdict = pattern.verdictOn(path);
      if (verdict === "unknown") this.#unknown += 1;
      return verdict === "fits" || verdict === "hidden";
    };
  }

  async *#fitting(files: AsyncIterable<FoundFile>, pattern: GlobPattern): AsyncGenerator<FoundFile, void> {
    for await (const file of files) {
      if (pattern.verdictOn(file.path) === "fits") yield file;
      else this.#hidden += 1;
    }
  }

  #noneNotes(): readonly string[] {
    const { pattern, withIgnored } = this.#input;
    return [
      "[no file fits]",
      withIgnored
        ? "[not looked at: .git and links; to look into such a folder, give it as path]"
        : "[not looked at: links, .git, node_modules and what .gitignore names; say withIgnored, or give such a folder as path]",
      ...(pattern.includes("[")
        ? ["[in a pattern, [ab] is one letter; for a name with brackets write \\[ab\\]]"]
        : []),
    ];
  }
}

function hiddenNote(count: number): readonly string[] {
  if (count === 0) return [];
  const [files, them] = count === 1 ? ["1 hidden file", "it"] : [`${count} hidden files`, "them"];
  return [`[${files} would fit too; say withHidden to find ${them}]`];
}

function unknownNote(count: number): readonly string[] {
  if (count === 0) return [];
  const paths = count === 1 ? "1 path was" : `${count} paths were`;
  return [`[${paths} not compared, it would take too long; give a simpler pattern]`];
}
