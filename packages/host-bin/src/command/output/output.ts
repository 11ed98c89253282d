import { wrapLines } from "./wrap-lines.ts";
import { escapeHiddenLine, HiddenEscaper, escapeHidden } from "@incipit/schema/text";
import { rowLines } from "./row-lines.ts";

/** All text is sanitized of terminal control sequences. */
export interface Output {
  /** A line break inside untrusted text starts a new line, so prefer `outLine` for one line. Wraps on a screen. */
  readonly out: (...parts: readonly Printed[]) => void;
  readonly outLine: (...parts: readonly Printed[]) => void;
  /**
   * Cells are separated by two or more spaces. On a narrow screen they wrap below each other, indented to the first
   * `lead` columns, such as a padded name.
   */
  readonly outRow: (row: string, lead?: number) => void;
  /** Prints an answer or a template, possibly in pieces. Byte for byte to a file or a pipe; as `out` to a screen. */
  readonly outExact: (piece: string) => void;
  readonly outWhenTaken: (bytes: Uint8Array) => Promise<void>;
  readonly err: (...parts: readonly Printed[]) => void;
  readonly errLine: (...parts: readonly Printed[]) => void;
  /** Delays all other output, such as log lines, so that nothing appears between a question and its answer. */
  readonly hold: () => Disposable;
  /** Resolves when the line was accepted, and without a reader: a host then continues. */
  readonly announce: (line: string) => Promise<void>;
  /** All other output goes to stderr, and a closed pipe does not end the process. */
  readonly keepForProtocol: () => void;
  readonly keepLines: () => void;
  readonly isScreen: boolean;
  /** Redirects `out` to a writer that shows it on the screen, such as a pager. */
  readonly through: (write: (text: string) => void) => Output;
  readonly width: number;
  readonly errWidth: number;
}

export type Printed = string | Painted;

interface Painted {
  readonly style: keyof typeof styles;
  readonly text: string;
}

const styles = { bold: ["\u001B[1m", "\u001B[22m"], warning: ["\u001B[33m", "\u001B[39m"] } as const;

export interface Streams {
  readonly write: (stream: "stdout" | "stderr", text: string) => void;
  readonly writeWhenTaken: (data: string | Uint8Array) => Promise<void>;
  readonly announce: (text: string) => Promise<void>;
  readonly keepForProtocol: () => void;
  readonly isScreen: () => boolean;
  readonly columns: (stream: "stdout" | "stderr") => number | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const defaultWidth = 80;

/** Creates the output, through which the command prints everything. */
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
  let exact: HiddenEscaper | undefined;
  const decoder = new TextDecoder();
  const stream = (): HiddenEscaper => (exact ??= new HiddenEscaper({ isExact: !isScreen() }));
  const isPlain = (): boolean => !isScreen() || env["TERM"] === "dumb" || (env["NO_COLOR"] ?? "") !== "";
  const print = (shown: (text: string) => string, parts: readonly Printed[]): string =>
    parts
      .map((part) => (typeof part === "string" ? shown(part) : painted(part, shown, { isPlain: isPlain() })))
      .join("");
  const width = (): number => wanted(env) ?? columns("stdout") ?? defaultWidth;
  const wrapped = (text: string): string => {
    const terminal = columns("stderr");
    return terminal === undefined ? text : wrapLines(text, terminal);
  };
  let isKept = false;
  const outWrapped = (text: string): string => (isKept || !isScreen() ? text : wrapLines(text, width()));
  const out = (text: string): void => write("stdout", (exact?.end() ?? "") + text);
  return {
    out: (...parts) => out(outWrapped(print(escapeHidden, parts))),
    outLine: (...parts) => out(`${outWrapped(print(escapeHiddenLine, parts))}\n`),
    outRow: (row, lead) => {
      const shown = escapeHiddenLine(row);
      const lines = isScreen() ? rowLines(shown, width(), lead) : [shown];
      out(`${lines.join("\n")}\n`);
    },
    outExact: (piece) => write("stdout", stream().write(piece)),
    outWhenTaken: (bytes) =>
      writeWhenTaken(isScreen() ? stream().write(decoder.decode(bytes, { stream: true })) : bytes),
    err: (...parts) => write("stderr", wrapped(print(escapeHidden, parts))),
    errLine: (...parts) => write("stderr", `${wrapped(print(escapeHiddenLine, parts))}\n`),
    hold: () => {
      holds += 1;
      return { [Symbol.dispose]: release };
    },
    announce: (line) => announce(`${escapeHiddenLine(line)}\n`),
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

/** Returns the width from `COLUMNS`, which overrides that of the terminal, as in POSIX. */
function wanted({ COLUMNS: columns = "" }: Streams["env"]): number | undefined {
  return /^[1-9]\d{0,3}$/.test(columns) ? Number(columns) : undefined;
}

/** Styles each line separately, since a pager shows lines one by one. */
function painted(
  { style, text }: Painted,
  shown: (text: string) => string,
  { isPlain }: { readonly isPlain: boolean },
): string {
  if (isPlain) return shown(text);
  const [begin, end] = styles[style];
  return shown(text).replaceAll(/[^\n]+/g, `${begin}$&${end}`);
}
