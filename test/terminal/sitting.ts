import { Terminal } from "@xterm/headless";
import { testedCommand } from "../support/host-process.ts";
import { settledWithin } from "../support/settled-within.ts";
import { graphemeWidths } from "./grapheme-widths.ts";

export type Wanted = string | RegExp | ((screen: string) => boolean);

export interface SittingOptions {
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly cwd: string;
  readonly home: string;
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** The terminal does not answer queries. */
  readonly isMute?: boolean;
  readonly background?: "dark" | "light";
}

/** Enough for ten runs of the command in a shell on a busy machine. */
const deadlineMs = 90_000;
/** Background processes of an ended program keep the terminal open. */
const closedTimeoutMs = 2_000;

const black = "0000/0000/0000";
const white = "ffff/ffff/ffff";

export const keys = {
  enter: "\r",
  escape: "\u001B",
  up: "\u001B[A",
  down: "\u001B[B",
  altUp: "\u001B[1;3A",
  backspace: "\u007F",
  tab: "\t",
  shiftTab: "\u001B[Z",
  ctrl: (letter: string): string => String.fromCodePoint(letter.toLowerCase().charCodeAt(0) - 96),
  pasted: (text: string): string => `\u001B[200~${text}\u001B[201~`,
} as const;

export class Sitting implements AsyncDisposable {
  readonly #screen: Terminal;
  readonly #child: Bun.Subprocess;
  readonly #exited: Promise<number>;
  readonly #changed = new Set<() => void>();
  #bytes = "";
  #hasEnded = false;

  constructor({
    command = testedCommand,
    args = [],
    cwd,
    home,
    columns = 80,
    rows = 24,
    env = {},
    isMute = false,
    background,
  }: SittingOptions) {
    const screen = new Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true });
    screen.unicode.register(graphemeWidths);
    screen.unicode.activeVersion = graphemeWidths.version;
    this.#screen = screen;
    const decoder = new TextDecoder();
    const closed = Promise.withResolvers<void>();
    this.#child = Bun.spawn([...command, ...args], {
      cwd,
      env: { PATH: process.env["PATH"] ?? "", HOME: home, LANG: "C.UTF-8", TERM: "xterm-256color", ...env },
      terminal: {
        cols: columns,
        rows,
        name: env["TERM"] ?? "xterm-256color",
        data: (_, chunk) => {
          const text = decoder.decode(chunk, { stream: true });
          screen.write(text, () => {
            this.#bytes += text;
            this.#notify();
          });
        },
        exit: () => closed.resolve(),
      },
    });
    if (!isMute) screen.onData((answer) => this.type(answer));
    if (background !== undefined) {
      this.#answerColour(10, background === "dark" ? white : black);
      this.#answerColour(11, background === "dark" ? black : white);
    }
    this.#exited = this.#child.exited.then(async (exitCode) => {
      // The exit may be reported before all output, which the emulator processes in pieces.
      await settledWithin(closed.promise, closedTimeoutMs);
      await new Promise<void>((resolve) => screen.write("", resolve));
      this.#hasEnded = true;
      this.#notify();
      return exitCode;
    });
  }

  get exited(): Promise<number> {
    return this.#exited;
  }

  get pid(): number {
    return this.#child.pid;
  }

  get bytes(): string {
    return this.#bytes;
  }

  type(text: string | Uint8Array): void {
    this.#child.terminal?.write(text);
  }

  /** Sends SIGHUP. */
  closeWindow(): void {
    this.#child.terminal?.close();
  }

  enter(text: string): void {
    this.type(`${text}${keys.enter}`);
  }

  typeUntil(text: string | Uint8Array, until: Wanted): Promise<string> {
    this.type(text);
    return this.sees(until);
  }

  enterUntil(text: string, until: Wanted): Promise<string> {
    this.enter(text);
    return this.sees(until);
  }

  resize(columns: number, rows: number): void {
    this.#screen.resize(columns, rows);
    this.#child.terminal?.resize(columns, rows);
  }

  rows(): readonly string[] {
    const buffer = this.#screen.buffer.active;
    return Array.from({ length: this.#screen.rows }, (_, row) => lineOf(buffer.getLine(buffer.viewportY + row)));
  }

  screen(): string {
    return this.rows().join("\n").trimEnd();
  }

  everything(): string {
    const buffer = this.#screen.buffer.active;
    let text = "";
    for (let row = 0; row < buffer.length; row += 1) {
      const line = buffer.getLine(row);
      text += (line?.isWrapped === true || row === 0 ? "" : "\n") + lineOf(line);
    }
    return text.trimEnd();
  }

  async sees(wanted: Wanted): Promise<string> {
    const fits =
      typeof wanted === "function"
        ? wanted
        : (screen: string): boolean => (typeof wanted === "string" ? screen.includes(wanted) : wanted.test(screen));
    return this.#until(() => (fits(this.screen()) ? this.screen() : undefined), String(wanted));
  }

  /** Programs take a later answer as a refusal. */
  #answerColour(command: number, colour: string): void {
    this.#screen.parser.registerOscHandler(command, (asked) => {
      if (asked === "?") this.type(`${keys.escape}]${command};rgb:${colour}${keys.escape}\\`);
      return true;
    });
  }

  async #until<T>(look: () => T | undefined, wanted: string): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const check = (): void => {
      // A synchronized frame is displayed only when complete.
      if (this.#screen.modes.synchronizedOutputMode && !this.#hasEnded) return;
      const found = look();
      if (found !== undefined) resolve(found);
      else if (this.#hasEnded)
        reject(new Error(`It ended, and nothing on the screen is ${wanted}:\n${this.screen()}`));
    };
    this.#changed.add(check);
    const timer = setTimeout(
      () => reject(new Error(`Nothing on the screen is ${wanted}:\n${this.screen()}`)),
      deadlineMs,
    );
    check();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#changed.delete(check);
    }
  }

  #notify(): void {
    for (const check of this.#changed) check();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#exited;
    this.#screen.dispose();
  }
}

function lineOf(line: { translateToString(trimRight: boolean): string } | undefined): string {
  return (line?.translateToString(true) ?? "").trimEnd();
}
