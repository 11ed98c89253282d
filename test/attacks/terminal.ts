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
} as const satisfies Record<string, Attack>;
