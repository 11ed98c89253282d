import { createInterface, type Interface } from "node:readline/promises";
import { PassThrough } from "node:stream";
import { shownText } from "@incipit/host/text";
import { AnswerLine, type AnswerEnd } from "./answer-line.ts";
import { PastedPieces, pasteMode } from "./pasted-pieces.ts";
import { takeTyped } from "./take-typed.ts";

/** Rounds in which what was typed before a question is dropped; a paste that is still coming is known by its marks. */
const maxRounds = 100;

/** Ctrl-Z. */
const suspendKey = "\u001A";

/** Shown for a line break of what was pasted, which is no Enter. */
const breakMark = "\u240A";

/** Whether somebody can read a question and answer it. */
export function isAtTerminal(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/**
 * The keys of the terminal, for as long as it is open: lines for a chat, and answers to questions.
 *
 * - An answer is what was typed after its question was shown, and ends with Enter. What was typed before is none, and what
 *   is pasted only where a question asks for it; no paste ends an answer.
 * - Nothing that is typed or pasted comes back to the screen as it is: what would steer it is shown, and sent, as an escape.
 * - A pasted text is one message, whatever line breaks are in it.
 */
export class TerminalInput implements Disposable {
  readonly #lines = new PassThrough();
  readonly #pieces = new PastedPieces();
  readonly #decoder = new TextDecoder();
  readonly #canMarkPastes = process.env["TERM"] !== "dumb";
  /** Takes what is typed while a question is open. */
  #answer: ((keys: string) => void) | undefined;
  /** What is pasted may be part of that answer. */
  #takesPasted = false;

  constructor() {
    this.#setRawMode(true);
    process.stdin.on("data", this.#take).resume();
    process.on("exit", this.#leave);
  }

  /** For messages; its `SIGINT` is Ctrl-C. What `messageOf` makes of a line is the message. */
  readLines(): Interface {
    const setRawMode = (isRaw: boolean): void => this.#setRawMode(isRaw); // Such as around Ctrl-Z.
    const input = Object.assign(this.#lines, { setRawMode });
    const lines = createInterface({ input, output: process.stderr, terminal: true });
    return lines.on("SIGCONT", () => lines.resume()); // It is paused when it comes back from Ctrl-Z.
  }

  /** Shows a question of one line, and waits for its answer; rejects once `signal` aborts. */
  async ask(
    question: string,
    {
      signal,
      takesText = false,
      takesPasted = takesText,
    }: { readonly signal: AbortSignal; readonly takesPasted?: boolean; readonly takesText?: boolean },
  ): Promise<AnswerEnd> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<AnswerEnd>();
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort);
    try {
      await this.#dropTyped();
      signal.throwIfAborted();
      process.stderr.write(shownText(question));
      this.#takesPasted = takesPasted;
      const line = new AnswerLine((echo) => process.stderr.write(echo), { takesText });
      this.#answer = (keys) => {
        const end = line.type(keys);
        if (end !== undefined) resolve(end);
        else if (keys.includes(suspendKey))
          this.#suspend(() => process.stderr.write(shownText(question) + line.text));
      };
      return await promise;
    } finally {
      this.#answer = undefined;
      this.#takesPasted = false;
      signal.removeEventListener("abort", abort);
      process.stderr.write("\n");
    }
  }

  [Symbol.dispose](): void {
    this.#leave();
    process.off("exit", this.#leave);
    process.stdin.off("data", this.#take).pause();
    this.#lines.destroy();
  }

  readonly #leave = (): void => this.#setRawMode(false);

  /** Gives the terminal to the shell until `fg`. */
  #suspend(showAgain: () => void): void {
    process.once("SIGCONT", () => {
      this.#setRawMode(true);
      showAgain();
    });
    this.#setRawMode(false);
    process.kill(process.pid, "SIGTSTP");
  }

  #setRawMode(isRaw: boolean): void {
    if (this.#canMarkPastes) process.stderr.write(isRaw ? pasteMode.on : pasteMode.off);
    process.stdin.setRawMode(isRaw);
  }

  /** Until nothing comes any more: a paste that does not fit into what the terminal keeps follows piece by piece. */
  async #dropTyped(): Promise<void> {
    let isQuiet = false;
    this.#answer = () => (isQuiet = false);
    for (let round = 0; round < maxRounds && !isQuiet; round += 1) {
      isQuiet = true;
      const typed = takeTyped();
      if (typed.length > 0) this.#take(typed);
      await new Promise((resolve) => setImmediate(resolve)); // What the process has read already is handed out.
    }
  }

  readonly #take = (bytes: Uint8Array): void => {
    for (const { isPasted, text } of this.#pieces.take(this.#decoder.decode(bytes, { stream: true }))) {
      if (this.#answer === undefined) this.#lines.write(isPasted ? pasted(text) : typed(text));
      else if (!isPasted) this.#answer(text);
      else if (this.#takesPasted) this.#answer(text.replaceAll(/[\u0000-\u001F\u007F]/g, "")); // oxlint-disable-line no-control-regex -- keys are
    }
  };
}

/** A line as it was meant: with the breaks of what was pasted. */
export function messageOf(line: string): string {
  return line.replaceAll(breakMark, "\n");
}

/** Keys are control characters; what is between them is text. */
function typed(text: string): string {
  return text.replaceAll(/[^\u0000-\u001F\u007F]+/g, (some) => shownText(some)); // oxlint-disable-line no-control-regex -- keys are
}

function pasted(text: string): string {
  const lines = text.replaceAll(/\r\n?/g, "\n").replaceAll("\t", "    ");
  return shownText(lines).replaceAll("\n", breakMark);
}
