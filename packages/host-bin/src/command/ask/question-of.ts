import { UsageError, type Arguments } from "../arguments/arguments.ts";
import type { Output } from "../output/output.ts";
import { isAgreed } from "../questions/is-agreed.ts";
import { pipedText } from "../terminal/piped-text.ts";

/** `-` or no word: the piped text alone. */
export async function questionOf(
  { command, words, conversation, isContinued }: Arguments,
  output: Output,
): Promise<string> {
  const [written = ""] = words;
  const isNew = conversation === undefined && !isContinued; // A single word that continues a conversation is not a command.
  if (command === "ask" && isNew && /^[a-z]+$/.test(written)) await confirmQuestion(written, output);
  if (written === "-" && process.stdin.isTTY)
    throw new UsageError('"-" asks what is piped into the command, and nothing is: git diff | incipit -');
  const asked = written === "-" ? "-" : words.length === 0 ? "alone" : undefined;
  const piped = await pipedText({ output, asked });
  if (asked !== undefined && piped.trim() === "")
    throw new UsageError(
      'Nothing came on standard input: there is no question; write one, as in: incipit "What is new?"',
    );
  if (asked !== undefined) return piped;
  return piped.trim() === "" ? written : `${written}\n\n${piped}`;
}

/** A single word may be a mistyped command. */
async function confirmQuestion(word: string, output: Output): Promise<void> {
  if (await isAgreed(`There is no command "${word}". Send it as a question? [y/N] `, output)) return;
  throw new UsageError(`There is no command "${word}"; a question of one word ends with "?"`);
}
