import { linesOfWords } from "./lines-of-words.ts";
import { shownLine, ShownStream, shownText } from "@incipit/host/text";
import { rowLines } from "./row-lines.ts";

/** Where a command writes: answers to `out`, everything else to `err`. Nothing that it is given steers the terminal. */
export interface Output {
  /**
   * Lines; a break in what somebody else has named begins one. For one line `outLine` is safer. On a screen, lines that are too
   * long are wrapped between words.
   */
  readonly out: (...parts: readonly Printed[]) => void;
  /** One line, with its end. */
  readonly outLine: (...parts: readonly Printed[]) => void;
  /**
   * A row of a table, whose cells have two spaces or more between them: a screen without room for it has them below each other,
   * and those behind its first `lead` columns, such as a name and what fills it up, below where they begin.
   */
  readonly outRow: (row: string, lead?: number) => void;
  /**
   * What was asked for by itself, such as an answer or a template; it may come in pieces. A file or a pipe gets it byte for
   * byte, a screen as `out` shows it.
   */
  readonly outExact: (piece: string) => void;
  /** As `outExact`; resolves when it was taken: for what is too much to wait in memory. */
  readonly outWhenTaken: (bytes: Uint8Array) => Promise<void>;
  /** On a terminal, lines that are too long are wrapped between words. */
  readonly err: (...parts: readonly Printed[]) => void;
  readonly errLine: (...parts: readonly Printed[]) => void;
  /**
   * For as long as a question is open: what is printed meanwhile, such as a log's line or how another tool has ended, waits.
   * Nothing of somebody else's comes between what is asked and the answer.
   */
  readonly hold: () => Disposable;
  /** As `outLine`; resolves when it was taken, also when nobody reads: a host goes on then. */
  readonly announce: (line: string) => Promise<void>;
  /**
   * For a command that speaks a protocol on stdout: whatever else is printed there from here on goes to stderr, and that nobody
   * reads any more does not end the process.
   */
  readonly keepForProtocol: () => void;
  /** For a command whose output is for a program, such as JSON: from here on no line is wrapped, also on a screen. */
  readonly keepLines: () => void;
  /** What `out` goes to is a screen, and not a file or a pipe. */
  readonly isScreen: boolean;
  /** The same, with what goes to `out` given to something else that shows it on the screen, such as a pager. */
  readonly through: (write: (text: string) => void) => Output;
  /** Width of a line of `out`, in columns. */
  readonly width: number;
  /** Width of a line of `err`, in columns. */
  readonly errWidth: number;
}

/** A text, or one that the command itself sets off. */
export type Printed = string | Painted;

interface Painted {
  readonly style: keyof typeof styles;
  readonly text: string;
}

/** Only here: behind what makes a text harmless. */
const styles = { bold: ["\u001B[1m", "\u001B[22m"], warning: ["\u001B[33m", "\u001B[39m"] } as const;

/** What takes the bytes. */
export interface Streams {
  readonly write: (stream: "stdout" | "stderr", text: string) => void;
  readonly writeWhenTaken: (data: string | Uint8Array) => Promise<void>;
  readonly announce: (text: string) => Promise<void>;
  readonly keepForProtocol: () => void;
  /** Stdout is a screen, and not a file or a pipe. */
  readonly isScreen: () => boolean;
  /** `undefined`: it is no screen, or does not say. */
  readonly columns: (stream: "stdout" | "stderr") => number | undefined;
  /** `TERM`, `NO_COLOR`, `COLUMNS`. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Width where a terminal does not say how wide it is, and where there is no terminal. */
const defaultWidth = 80;

/** The one place that what a command prints goes through. */
export function createOutput(streams: Streams): Output {
  const { write: writeAtOnce, writeWhenTaken, announce, keepForProtocol, isScreen, columns, env } = streams;
  let holds = 0;
  let held: Parameters<Streams["write"]>[] = [];
  const write: Streams["write"] = (name, text) => {
    if (holds === 0) writeAtOnce(name, text);
    else held.push([name, text]);
  };
  const release = (): void => {
    holds -= 1;
    if (holds > 0) return;
    const waiting = held;
    held = [];
    for (const [name, text] of waiting) writeAtOnce(name, text);
  };
  let exact: ShownStream | undefined;
  const decoder = new TextDecoder();
  const stream = (): ShownStream => (exact ??= new ShownStream({ isExact: !isScreen() }));
  const isPlain = (): boolean => !isScreen() || env["TERM"] === "dumb" || (env["NO_COLOR"] ?? "") !== "";
  const print = (shown: (text: string) => string, parts: readonly Printed[]): string =>
    parts
      .map((part) => (typeof part === "string" ? shown(part) : painted(part, shown, { isPlain: isPlain() })))
      .join("");
  const width = (): number => wanted(env) ?? columns("stdout") ?? defaultWidth;
  const wrapped = (text: string): string => {
    const terminal = columns("stderr");
    return terminal === undefined ? text : linesOfWords(text, terminal);
  };
  let isKept = false;
  const outWrapped = (text: string): string => (isKept || !isScreen() ? text : linesOfWords(text, width()));
  const out = (text: string): void => write("stdout", (exact?.end() ?? "") + text);
  return {
    out: (...parts) => out(outWrapped(print(shownText, parts))),
    outLine: (...parts) => out(`${outWrapped(print(shownLine, parts))}\n`),
    outRow: (row, lead) => {
      const shown = shownLine(row);
      const lines = isScreen() ? rowLines(shown, width(), lead) : [shown];
      out(`${lines.join("\n")}\n`);
    },
    outExact: (piece) => write("stdout", stream().write(piece)),
    outWhenTaken: (bytes) =>
      writeWhenTaken(isScreen() ? stream().write(decoder.decode(bytes, { stream: true })) : bytes),
    err: (...parts) => write("stderr", wrapped(print(shownText, parts))),
    errLine: (...parts) => write("stderr", `${wrapped(print(shownLine, parts))}\n`),
    hold: () => {
      holds += 1;
      return { [Symbol.dispose]: release };
    },
    announce: (line) => announce(`${shownLine(line)}\n`),
    keepForProtocol,
    keepLines: () => {
      isKept = true;
    },
    get isScreen() {
      return isScreen();
    },
    through: (writeOut) => {
      const to: Streams["write"] = (name, text) => (name === "stdout" ? writeOut(text) : write(name, text));
      const through = createOutput({ ...streams, write: to });
      if (isKept) through.keepLines();
      return through;
    },
    get width() {
      return width();
    },
    get errWidth() {
      return wanted(env) ?? columns("stderr") ?? defaultWidth;
    },
  };
}

/** What a person has set goes before what the terminal says, as POSIX has it. */
function wanted({ COLUMNS: columns = "" }: Streams["env"]): number | undefined {
  return /^[1-9]\d{0,3}$/.test(columns) ? Number(columns) : undefined;
}

/** Each line of its own: a pager shows them one at a time. */
function painted(
  { style, text }: Painted,
  shown: (text: string) => string,
  { isPlain }: { readonly isPlain: boolean },
): string {
  if (isPlain) return shown(text);
  const [begin, end] = styles[style];
  return shown(text).replaceAll(/[^\n]+/g, `${begin}$&${end}`);
}
