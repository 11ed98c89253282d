import type { AnswerEnd } from "../terminal/answer-line.ts";
import { TerminalInput, type AskOptions } from "../terminal/terminal-input.ts";

export type AskPerson = (question: string, options: AskOptions) => Promise<AnswerEnd>;

/** Use only where nothing else reads the terminal. */
export const askAtTerminal: AskPerson = async (question, options) => {
  using input = new TerminalInput();
  return await input.ask(question, options);
};
