import { askAtTerminal } from "./ask-at-terminal.ts";
import { askYesNo } from "./ask-yes-no.ts";
import { wrapLines } from "../output/wrap-lines.ts";
import type { Output } from "../output/output.ts";
import { isAtTerminal } from "../terminal/terminal-input.ts";

/** Returns `false` without a terminal. Ctrl-C ends the command. */
export async function isAgreed(
  question: string,
  output: Pick<Output, "err" | "errWidth" | "hold">,
): Promise<boolean> {
  if (!isAtTerminal()) return false;
  const lines = wrapLines(question.trimEnd(), output.errWidth).split("\n");
  const last = lines.pop() ?? "";
  for (const line of lines) output.err(`${line}\n`); // The prompt itself is a single line.
  const { signal } = new AbortController();
  let said: Awaited<ReturnType<typeof askYesNo>>;
  {
    using _ = output.hold();
    said = await askYesNo(`${last} `, { askPerson: askAtTerminal, signal, comesByItself: true });
  }
  return said === "interrupt" ? process.exit(130) : said === "yes";
}
