import { askAtTerminal } from "./ask-at-terminal.ts";
import { isAtTerminal } from "./terminal/terminal-input.ts";

/** Whether somebody at the terminal says yes; nobody can agree who is not there. Ctrl-C ends the command. */
export async function isAgreed(question: string): Promise<boolean> {
  if (!isAtTerminal()) return false;
  const { signal } = new AbortController();
  for (;;) {
    const said = await askAtTerminal(question, { signal });
    if (said.kind !== "answer") return said.kind === "interrupt" ? process.exit(130) : false;
    const word = said.text.trim().toLowerCase();
    if (word === "y" || word === "yes") return true;
    if (word === "" || word === "n" || word === "no") return false;
  }
}
