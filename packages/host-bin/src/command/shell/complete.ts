import { escapeHiddenLine } from "@incipit/schema/text";
import type { Output } from "../output/output.ts";
import { fitted } from "../output/fitted.ts";
import type { Command } from "../registry/command.ts";
import { completed, type Candidate } from "./completed.ts";
import type { ValueSource } from "./value-source.ts";

const maxCandidates = 200;
const maxWords = 70;

export interface Typed {
  readonly commands: readonly Command[];
  readonly words: readonly string[];
}

/** `:files` and `:folders` stand for completions of the shell. Prints less on errors. */
export async function complete({ commands, words }: Typed, source: ValueSource, output: Output): Promise<void> {
  const result = completed(commands, words);
  if (result.kind === "these") return print(result.candidates, output);
  print(result.candidates, output);
  if (result.of === "file" || result.of === "folder") {
    if (result.candidates.length === 0) output.outLine(`:${result.of}s`);
    return;
  }
  const begun = (words.at(-1) ?? "").slice(result.before.length);
  const values = await source(result.of);
  print(
    values
      .filter(({ value }) => value.startsWith(begun))
      .map(({ value, words: told }) => ({ value: result.before + value, words: told })),
    output,
  );
}

function print(candidates: readonly Candidate[], output: Output): void {
  for (const { value, words } of candidates.slice(0, maxCandidates)) {
    // The shell would insert untrusted names verbatim.
    if (!/^[\w@./:=+,-]+$/.test(value)) continue;
    output.out(words === "" ? `${value}\n` : `${value}\t${fitted(escapeHiddenLine(words), maxWords)}\n`);
  }
}
