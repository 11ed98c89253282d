import type { Output } from "./output.ts";

interface Printer {
  /** Prints a line for people, or JSON. */
  readonly show: <Shown>(shown: Shown, line: (shown: Shown) => string) => void;
  /** Prints a sentence to standard error, and nothing with `--json`. */
  readonly note: (sentence: string) => void;
}

interface Printing {
  readonly args: { readonly isJson: boolean };
  readonly output: Output;
}

export function printer({ args: { isJson }, output: { outLine, outRow, errLine } }: Printing): Printer {
  return {
    show: (shown, line) => (isJson ? outLine(JSON.stringify(shown)) : outRow(line(shown))),
    note(sentence) {
      if (!isJson) errLine(sentence);
    },
  };
}
