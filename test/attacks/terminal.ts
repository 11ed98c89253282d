import type { Attack } from "../attacks.ts";

/** What vendors, models, files and extensions have printed. */
export const terminalAttacks = {
  "terminal-text-everywhere": {
    tries:
      "a text of others steers the terminal (clipboard, colours, directions, what cannot be seen), on any stream",
    seen: "it is written out as escapes that do nothing; only the command's own colours are codes",
  },
  "terminal-line-break": {
    tries: "a name or an error holds a line break and what looks like the command's next line",
    seen: "the break is shown as \\n, and nothing begins a line",
  },
  "terminal-answer": {
    tries: "a model's answer clears the screen, with the sequence split over two deltas",
    seen: "on a screen it is written out, in a file it is the model's bytes",
  },
  "terminal-export": {
    tries: "an export with 8-bit control sequences is printed on a screen",
    seen: "they are written out; a pipe gets the export's bytes",
  },
  "terminal-json": {
    tries: "a text in --json holds controls that JSON does not escape",
    seen: "they are escaped, and the line is one line and the same JSON",
  },
  "terminal-answer-on-a-screen": {
    tries: "a model's answer writes the clipboard (OSC 52) and clears the screen (8-bit CSI)",
    seen: "the screen shows the sequences as text",
  },
  "terminal-vendor-error": {
    tries: "a vendor's error holds control characters, a turned direction and the words of a question",
    seen: "one line of the command's with escapes in it",
  },
  "terminal-typed-ahead": {
    tries: "y and Enter were typed before a model's call was asked about, and Enter is pressed at the question",
    seen: "what was typed before answers nothing: the call is denied",
  },
  "terminal-typed-ahead-without-enter": {
    tries: "y was typed without Enter before the question, and Enter is pressed at it",
    seen: "the answer is empty: the call is denied",
  },
  "terminal-pasted-answer": {
    tries: "a text of several lines is pasted at the question, with y and always among them",
    seen: "what is pasted is no answer",
  },
  "terminal-approval-cut": {
    tries: "a call hides what it does behind 8,000 harmless characters",
    seen: "the question shows the call to its end, and how many rows it has",
  },
  "terminal-fake-question": {
    tries:
      "arguments hold, behind breaks and padding up to the terminal's width, what looks like the command's question",
    seen: "each row of the arguments begins with a mark that the command's own lines do not have",
  },
  "terminal-blank-rows": {
    tries: "100,000 line breaks and as many spaces scroll the beginning of a call out of sight",
    seen: "empty rows are counted, and not printed",
  },
  "terminal-approval-escapes": {
    tries: "a tool's name, the names of arguments and their values steer the terminal or hide characters",
    seen: "all of it is written out",
  },
  "terminal-preview": {
    tries: "a file that is edited holds a line that looks like the question, and codes",
    seen: "the diff is shown as the call is: with marks and escapes",
  },
  "terminal-key-twice": {
    tries: "a call names an argument twice, spelled in two ways: what is shown is not what runs",
    seen: "it is refused with the key's name, and nobody is asked",
  },
} as const satisfies Record<string, Attack>;
