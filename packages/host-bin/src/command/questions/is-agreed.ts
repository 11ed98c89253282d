import { askAtTerminal } from "./ask-at-terminal.ts";
import { askYesNo } from "./ask-yes-no.ts";
import type { Output } from "../output/output.ts";
import { isAtTerminal } from "../terminal/terminal-input.ts";

/** Whether somebody at the terminal says yes; nobody can agree who is not there. Ctrl-C ends the command. */
export async function isAgreed(question: string, output: Pick<Output, "hold">): Promise<boolean> {
  if (!isAtTerminal()) return false;
  const { signal } = new AbortController();
  let said: Awaited<ReturnType<typeof askYesNo>>;
  {
    using _ = output.hold();
    said = await askYesNo(question, { askPerson: askAtTerminal, signal });
  }
  return said === "interrupt" ? process.exit(130) : said === "yes";
}
