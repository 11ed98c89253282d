import { UsageError } from "../registry/usage-error.ts";
import type { Output } from "../output/output.ts";
import { isAgreed } from "../questions/is-agreed.ts";
import { pipedText } from "../terminal/piped-text.ts";

/** `-` or no word: the piped text alone. */
export async function questionOf(written: string | undefined, output: Output): Promise<string> {
  if (written === "-" && process.stdin.isTTY)
    throw new UsageError('"-" asks what is piped into the command, and nothing is: git diff | incipit -');
  const asked = written === "-" ? "-" : written === undefined ? "alone" : undefined;
  const piped = await pipedText({ output, asked });
  if (asked !== undefined && piped.trim() === "")
    throw new UsageError(
      'Nothing came on standard input: there is no question; write one, as in: incipit "What is new?"',
    );
  if (written === undefined || written === "-") return piped;
  return piped.trim() === "" ? written : `${written}\n\n${piped}`;
}

/** A single word may be a mistyped command. */
export async function confirmQuestion(word: string, output: Output): Promise<void> {
  if (await isAgreed(`There is no command "${word}". Send it as a question? [y/N] `, output)) return;
  throw new UsageError(`There is no command "${word}"; a question of one word ends with "?"`);
}
