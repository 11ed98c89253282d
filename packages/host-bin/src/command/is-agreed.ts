import { askAtTerminal, isAtTerminal } from "./ask-at-terminal.ts";

/** Whether somebody at the terminal says yes; nobody can agree who is not there. Ctrl-C ends the command. */
export async function isAgreed(question: string): Promise<boolean> {
  if (!isAtTerminal()) return false;
  const ask = askAtTerminal(() => process.exit(130));
  return /^y(es)?$/i.test((await ask(question, { signal: new AbortController().signal })).trim());
}
