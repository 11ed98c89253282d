import type { Output } from "../output/output.ts";
import type { ValueSource } from "./value-source.ts";
import { escapeHiddenLine } from "@incipit/schema/text";
import { fitted } from "../output/fitted.ts";
import type { Command } from "../registry/command.ts";
import { type Candidate, completed } from "./completed.ts";

/** Since the start of the process; a user at a prompt does not wait longer. */
const answerWithinMs = 300;
/** For the host, also after a slow start. */
const leastMs = 150;

/** Prints nothing rather than something late, and never an error. */
export async function completeLine(typed: Typed, output: Output): Promise<void> {
  try {
    await complete(typed, sourceFor(typed.words), output);
  } catch {}
}

/** Most words need no host. */
function sourceFor(words: readonly string[]): ValueSource {
  return async (kind) => {
    const { ownPlaces } = await import("../../config/own-places.ts");
    const { valueSource } = await import("./value-source.ts");
    const flags = { config: given(words, "--config"), data: given(words, "--data") };
    const { dataFolder, userFolder } = ownPlaces({ cwd: process.cwd(), env: process.env, flags });
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), Math.max(leastMs, answerWithinMs - performance.now()));
    try {
      return await valueSource({ dataFolder, userFolder, cwd: process.cwd(), signal: late.signal })(kind);
    } finally {
      clearTimeout(timer);
    }
  };
}

function given(words: readonly string[], option: string): string | undefined {
  const at = words.lastIndexOf(option);
  const joined = words.findLast((word) => word.startsWith(`${option}=`));
  return at === -1 || at >= words.length - 2 ? joined?.slice(option.length + 1) : words[at + 1];
}

const maxCandidates = 200;
const maxWords = 70;

interface Typed {
  readonly commands: readonly Command[];
  readonly words: readonly string[];
}

/** `:files` and `:folders` stand for completions of the shell. Prints less on errors. */
async function complete({ commands, words }: Typed, source: ValueSource, output: Output): Promise<void> {
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
