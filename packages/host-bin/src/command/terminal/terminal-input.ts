import { setTimeout } from "node:timers/promises";
import { escapeHidden } from "@incipit/schema/text";
import { type AnswerEnd, AnswerLine } from "./answer-line.ts";
import { MessageLines } from "./message-lines.ts";
import { PastedPieces, pasteMode } from "./pasted-pieces.ts";
import { closeSync, constants, openSync, readSync } from "node:fs";

/** Keys within this time after a question, or after another key, were not meant for it. */
const settleMs = 500;

/** An unfinished paste is recognized by its marks. */
const maxRounds = 100;

const interruptKey = "\u0003";

const suspendKey = "\u001A";

const waiting = "A question waits. Enter your message, or clear it with Ctrl-U, to see it:";

/** Shown for a pasted line break, which does not act as Enter. */
const breakMark = "\u240A";

export interface AskOptions {
  readonly signal: AbortSignal;
  readonly takesPasted?: boolean;
  readonly takesText?: boolean;
  /** The question is not a direct reaction to the user's input; the user may be typing something else. */
  readonly comesByItself?: boolean;
}

export function isAtTerminal(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/**
 * An answer is text typed after its question was shown, ended by Enter. Pasted text counts only where the question
 * accepts it, and never ends an answer. Echoed text is sanitized: control characters are shown and sent as escapes. A
 * pasted text is one message, including its line breaks.
 */
export class TerminalInput implements Disposable {
  #lines: MessageLines | undefined;
  readonly #pieces = new PastedPieces();
  readonly #decoder = new TextDecoder();
  readonly #canMarkPastes = process.env["TERM"] !== "dumb";
  #showAgain: () => void = () => {};
  #answer: ((keys: string) => void) | undefined;
  #takesPasted = false;
  #lastKeyMs = 0;

  constructor() {
    this.#setRawMode(true);
    process.stdin.on("data", this.#take).resume();
    process.on("exit", this.#leave);
    if (process.platform !== "win32") process.on("SIGTSTP", this.#suspend).on("SIGCONT", this.#continue);
  }

  /** Pass each line through `messageOf`. */
  readLines(options: { readonly prompt: string; readonly onInterrupt: () => void }): MessageLines {
    const lines = new MessageLines({ ...options, write: (text) => process.stderr.write(text) });
    this.#lines = lines;
    this.#showAgain = () => lines.promptAgain();
    return lines;
  }

  /**
   * Rejects once `signal` aborts. With `comesByItself`, first waits for a pause and the end of a half-typed message:
   * until then, keys go to the message, or are dropped without one.
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
      process.stderr.write(escapeHidden(question));
      this.#takesPasted = takesPasted;
      const line = new AnswerLine((echo) => process.stderr.write(echo), { takesText });
      this.#answer = (keys) => {
        const end = line.type(keys);
        if (end !== undefined) resolve(end);
        else if (keys.includes(suspendKey)) this.#suspend();
      };
      this.#showAgain = () => process.stderr.write(escapeHidden(question) + line.text);
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

  readonly #suspend = (): void => {
    if (process.platform === "win32") return;
    process.off("SIGTSTP", this.#suspend);
    this.#setRawMode(false);
    process.kill(process.pid, "SIGTSTP");
  };

  /** Also handles SIGSTOP, which cannot be caught. */
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

  /** A paste larger than the terminal's buffer comes in pieces. */
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
      await new Promise((resolve) => setImmediate(resolve)); // Deliver input that the process has already read.
    }
  }

  /** Reads pending input first, since the process may have been stopped or busy. Never drops Ctrl-C. */
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

  /** The last letter of the message may be a "y". */
  async #untilNobodyWrites(lines: MessageLines, signal: AbortSignal): Promise<void> {
    this.#lastKeyMs = performance.now();
    for (;;) {
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

export function messageOf(line: string): string {
  return line.replaceAll(breakMark, "\n");
}

function typed(text: string): string {
  return text.replaceAll(/[^\u0000-\u001F\u007F]+/g, (some) => escapeHidden(some)); // oxlint-disable-line no-control-regex -- keys are
}

function pasted(text: string): string {
  const lines = text.replaceAll(/\r\n?/g, "\n").replaceAll("\t", "    ");
  return escapeHidden(lines).replaceAll("\n", breakMark);
}

/** Above the buffer that terminals keep for a program that does not read. */
const maxReads = 64;

/** Requires raw mode: otherwise an unfinished line would stay. */
function takeTyped(): Uint8Array {
  let fd: number;
  try {
    // The inherited descriptor may be shared and must stay blocking.
    fd = openSync("/dev/tty", constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return new Uint8Array(); // Not a controlling terminal; typed text arrives on stdin.
  }
  const parts: Uint8Array[] = [];
  try {
    for (let reads = 0; reads < maxReads; reads += 1) {
      const buffer = new Uint8Array(4_096);
      const size = readSync(fd, buffer);
      if (size === 0) break;
      parts.push(buffer.subarray(0, size));
    }
  } catch {
    // Nothing pending.
  } finally {
    closeSync(fd);
  }
  return Buffer.concat(parts);
}
