import { setTimeout } from "node:timers/promises";
import { shownText } from "@incipit/host/text";
import { AnswerLine, type AnswerEnd } from "./answer-line.ts";
import { MessageLines } from "./message-lines.ts";
import { PastedPieces, pasteMode } from "./pasted-pieces.ts";
import { takeTyped } from "./take-typed.ts";

/** Keys that come so soon behind a question, or behind each other, were not meant for it. */
const settleMs = 500;

/** Rounds in which what was typed before a question is dropped; a paste that is still coming is known by its marks. */
const maxRounds = 100;

/** Ctrl-C. */
const interruptKey = "\u0003";

/** Ctrl-Z. */
const suspendKey = "\u001A";

const waiting = "A question waits. Enter your message, or clear it with Ctrl-U, to see it:";

/** Shown for a line break of what was pasted, which is no Enter. */
const breakMark = "\u240A";

export interface AskOptions {
  readonly signal: AbortSignal;
  /** What is pasted may be part of the answer. */
  readonly takesPasted?: boolean;
  /** The answer is a text of any letters, pasted or not. */
  readonly takesText?: boolean;
  /** Nobody has just entered what leads to the question: people may be typing something else. */
  readonly comesByItself?: boolean;
}

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
  #lines: MessageLines | undefined;
  readonly #pieces = new PastedPieces();
  readonly #decoder = new TextDecoder();
  readonly #canMarkPastes = process.env["TERM"] !== "dumb";
  /** Writes again what was asked, on a screen that the shell has written to. */
  #showAgain: () => void = () => {};
  /** Takes what is typed while a question is open. */
  #answer: ((keys: string) => void) | undefined;
  /** What is pasted may be part of that answer. */
  #takesPasted = false;
  #lastKeyMs = 0;

  constructor() {
    this.#setRawMode(true);
    process.stdin.on("data", this.#take).resume();
    process.on("exit", this.#leave);
    if (process.platform !== "win32") process.on("SIGTSTP", this.#suspend).on("SIGCONT", this.#continue);
  }

  /** For messages. What `messageOf` makes of a line is the message. */
  readLines(options: { readonly prompt: string; readonly onInterrupt: () => void }): MessageLines {
    const lines = new MessageLines({ ...options, write: (text) => process.stderr.write(text) });
    this.#lines = lines;
    this.#showAgain = () => lines.promptAgain();
    return lines;
  }

  /**
   * Shows a question of one line, and waits for its answer; rejects once `signal` aborts. One that `comesByItself` is shown
   * once nobody has typed for a moment, and no message is half written: until then keys go to the message, or are dropped where
   * none is read.
   */
  async ask(
    question: string,
    { signal, takesText = false, takesPasted = takesText, comesByItself = false }: AskOptions,
  ): Promise<AnswerEnd> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<AnswerEnd>();
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort);
    try {
      const lines = comesByItself ? this.#lines : undefined;
      if (lines !== undefined) await this.#untilNobodyWrites(lines, signal);
      await this.#dropTyped();
      if (comesByItself && lines === undefined && (await this.#dropUntilQuiet(signal)) === "interrupt")
        return { kind: "interrupt" };
      signal.throwIfAborted();
      process.stderr.write(shownText(question));
      this.#takesPasted = takesPasted;
      const line = new AnswerLine((echo) => process.stderr.write(echo), { takesText });
      this.#answer = (keys) => {
        const end = line.type(keys);
        if (end !== undefined) resolve(end);
        else if (keys.includes(suspendKey)) this.#suspend();
      };
      this.#showAgain = () => process.stderr.write(shownText(question) + line.text);
      return await promise;
    } finally {
      this.#answer = undefined;
      this.#showAgain = () => this.#lines?.promptAgain();
      this.#takesPasted = false;
      signal.removeEventListener("abort", abort);
      process.stderr.write("\n");
    }
  }

  [Symbol.dispose](): void {
    this.#leave();
    process.off("exit", this.#leave);
    process.off("SIGTSTP", this.#suspend).off("SIGCONT", this.#continue);
    process.stdin.off("data", this.#take).pause();
    this.#lines?.close();
  }

  readonly #leave = (): void => this.#setRawMode(false);

  /** Gives the terminal to the shell until `fg`, by Ctrl-Z or by a signal. */
  readonly #suspend = (): void => {
    if (process.platform === "win32") return;
    process.off("SIGTSTP", this.#suspend); // The next one stops the process.
    this.#setRawMode(false);
    process.kill(process.pid, "SIGTSTP");
  };

  /** After SIGSTOP, too, which nobody sees coming. */
  readonly #continue = (): void => {
    process.off("SIGTSTP", this.#suspend).on("SIGTSTP", this.#suspend);
    this.#setRawMode(false);
    this.#setRawMode(true);
    this.#showAgain();
  };

  #setRawMode(isRaw: boolean): void {
    if (this.#canMarkPastes) process.stderr.write(isRaw ? pasteMode.on : pasteMode.off);
    process.stdin.setRawMode(isRaw);
  }

  /** Until nothing comes any more: a paste that does not fit into what the terminal keeps follows piece by piece. */
  async #dropTyped(onTyped: (keys: string) => void = () => {}): Promise<void> {
    let isQuiet = false;
    this.#answer = (keys) => {
      isQuiet = false;
      onTyped(keys);
    };
    for (let round = 0; round < maxRounds && !isQuiet; round += 1) {
      isQuiet = true;
      const typed = takeTyped();
      if (typed.length > 0) this.#take(typed);
      await new Promise((resolve) => setImmediate(resolve)); // What the process has read already is handed out.
    }
  }

  /** A process that was stopped, or busy, reads what waits before it says that nobody types. Ctrl-C is none that is dropped. */
  async #dropUntilQuiet(signal: AbortSignal): Promise<"quiet" | "interrupt"> {
    let lastMs = performance.now();
    const interrupted = new AbortController();
    const stop = { signal: AbortSignal.any([signal, interrupted.signal]) };
    const onTyped = (keys: string): void => {
      lastMs = performance.now();
      if (keys.includes(interruptKey)) interrupted.abort();
    };
    this.#answer = onTyped;
    for (let leftMs = settleMs; leftMs > 0; leftMs = lastMs + settleMs - performance.now()) {
      await setTimeout(leftMs, undefined, stop).catch(() => {});
      if (stop.signal.aborted) break;
      await this.#dropTyped(onTyped);
    }
    return interrupted.signal.aborted ? "interrupt" : "quiet";
  }

  /** Gives keys to the message: its last letter may be a "y". */
  async #untilNobodyWrites(lines: MessageLines, signal: AbortSignal): Promise<void> {
    this.#lastKeyMs = performance.now();
    for (;;) {
      // A process that was stopped, or busy, has not read what was typed meanwhile.
      this.#take(takeTyped());
      const leftMs = this.#lastKeyMs + settleMs - performance.now();
      if (leftMs > 0) {
        await setTimeout(leftMs, undefined, { signal }).catch(() => {});
        signal.throwIfAborted();
        continue;
      }
      if (!lines.isWriting) return;
      process.stderr.write(`${waiting}\n`);
      await untilAborted(lines.whenEmpty(), signal);
    }
  }

  #takeMessage(text: string, isPasted: boolean): void {
    if (isPasted) this.#lines?.add(pasted(text));
    else if (text.includes(suspendKey)) this.#suspend();
    else this.#lines?.type(typed(text));
  }

  readonly #take = (bytes: Uint8Array): void => {
    if (bytes.length > 0) this.#lastKeyMs = performance.now();
    for (const { isPasted, text } of this.#pieces.take(this.#decoder.decode(bytes, { stream: true }))) {
      if (this.#answer === undefined) this.#takeMessage(text, isPasted);
      else if (!isPasted) this.#answer(text);
      else if (this.#takesPasted) this.#answer(text.replaceAll(/[\u0000-\u001F\u007F]/g, "")); // oxlint-disable-line no-control-regex -- keys are
    }
  };
}

/** Rejects once the signal aborts. */
async function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort);
  try {
    await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
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
