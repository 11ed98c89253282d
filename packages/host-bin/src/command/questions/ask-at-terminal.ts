import type { AnswerEnd } from "../terminal/answer-line.ts";
import { TerminalInput } from "../terminal/terminal-input.ts";

interface AskOptions {
  readonly signal: AbortSignal;
  /** What is pasted may be part of the answer. */
  readonly takesPasted?: boolean;
  /** The answer is a text of any letters, pasted or not. */
  readonly takesText?: boolean;
}

/** Asks whoever sits at the terminal; rejects once `signal` aborts. */
export type AskPerson = (question: string, options: AskOptions) => Promise<AnswerEnd>;

/** Asks where nothing else reads the terminal. */
export const askAtTerminal: AskPerson = async (question, options) => {
  using input = new TerminalInput();
  return await input.ask(question, options);
};
