import { createInterface, type Interface } from "node:readline/promises";
import type { AskPerson } from "./approval-questions.ts";

/** Whether somebody can read a question and answer it. */
export function isAtTerminal(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** Asks on lines that somebody else reads too, such as a chat. */
export function askOn(lines: Interface): AskPerson {
  return (question, { signal }) =>
    new Promise((resolve, reject) => {
      // At the end of the input, a question of readline is never answered.
      const close = (): void => resolve("");
      lines.once("close", close);
      lines
        .question(question, { signal })
        .then(resolve, reject)
        .finally(() => lines.off("close", close));
    });
}

/** Asks on lines of its own. `stop` is called for Ctrl-C, which a terminal that is being read does not send. */
export function askAtTerminal(stop: () => void): AskPerson {
  return async (question, options) => {
    const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: true });
    lines.on("SIGINT", stop);
    try {
      return await askOn(lines)(question, options);
    } finally {
      lines.close();
    }
  };
}
