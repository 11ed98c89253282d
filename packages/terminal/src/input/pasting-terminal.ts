import { ProcessTerminal } from "@earendil-works/pi-tui";
import { isatty } from "node:tty";
import { pasteBegin as begin, TerminalReplies } from "./terminal-replies.ts";

const end = "\u001B[201~";
/** The rest of a paste is dropped, with a note on the last line. */
const maxPasted = 32 * 1_048_576;
/** Key releases of the Kitty keyboard protocol. */
const keyReleases = /\u001B\[[\d:]*;\d*:3[\d;]*[A-Zu~]/g; // oxlint-disable-line no-control-regex -- keys are
/** Ends a paste without end marker after its last chunk. */
const pasteEndsMs = 2_000;
/** A terminal that has not replied by then is not expected to. */
const answersWithinMs = 2_000;
/** Primary device attributes: every terminal answers, after other queries. */
const lastQuestion = "\u001B[c";
/** Secondary device attributes identify the terminal. */
const kindQuestion = "\u001B[>c";
const counted = /\u001B\[[?>][\d;]*c/g; // oxlint-disable-line no-control-regex -- they are looked for
/** https://github.com/xtermjs/xterm.js/blob/6.0.0/src/common/InputHandler.ts (`sendDeviceAttributesSecondary`) */
const xtermJs = "\u001B[>0;276;0c";

/**
 * Delivers a paste in one piece, because the library would rescan the whole paste for each of thousands of chunks. The
 * terminal may disappear at any time.
 */
export class PastingTerminal extends ProcessTerminal {
  #library: unknown;
  #onInput: (data: string) => void = () => {};
  #pasted: string[] | undefined;
  #size = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #read: string | undefined;
  readonly #onGone: () => void;
  readonly #onStart: () => void;
  #owed = 0;
  #askedMs = Number.NEGATIVE_INFINITY;
  #onAnswered: () => void = () => {};
  #isXtermJs: boolean | undefined;
  readonly #replies = new TerminalReplies((data) => this.#pass(data));
  readonly #onData = (data: unknown): void => {
    this.#read = String(data);
    try {
      this.#take(this.#read);
    } finally {
      this.#read = undefined;
    }
  };

  /** `onGone`: nothing can be written any more; `onStart`: reading starts, also after a pause. */
  constructor({ onGone, onStart }: { readonly onGone: () => void; readonly onStart: () => void }) {
    super();
    this.#onGone = onGone;
    this.#onStart = onStart;
  }

  /** Key releases of the same read do not count. */
  isAlone(data: string): boolean {
    return this.#read?.replaceAll(keyReleases, "") === data;
  }

  override start(onInput: (data: string) => void, onResize: () => void): void {
    this.#onStart();
    const before = new Set<unknown>(process.stdin.listeners("data"));
    this.#onInput = onInput;
    this.#refreshSize();
    super.start(onInput, onResize);
    this.#asked(); // For the library's query of its keyboard protocol.
    if (this.#isXtermJs === undefined) {
      this.#isXtermJs = false;
      this.#asked();
      this.write(kindQuestion);
    }
    for (const listener of process.stdin.rawListeners("data")) {
      if (before.has(listener)) continue;
      this.#library = listener;
      process.stdin.off("data", listener);
    }
    process.stdin.on("data", this.#onData).on("end", this.#onGone).on("error", this.#onGone);
  }

  override stop(): void {
    process.stdin.off("data", this.#onData).off("end", this.#onGone).off("error", this.#onGone);
    this.#endPaste();
    this.#replies.close();
    this.#owed = 0;
    this.#whileThere(() => super.stop());
  }

  get isXtermJs(): boolean {
    return this.#isXtermJs === true;
  }

  /** A pending reply would be left for the next reader. */
  async answered(maxMs: number): Promise<void> {
    if (!this.#isAnswerExpected) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onAnswered = resolve;
    const timer = setTimeout(resolve, maxMs);
    await promise;
    clearTimeout(timer);
  }

  override write(data: string): void {
    if (data.endsWith(lastQuestion)) this.#asked();
    this.#whileThere(() => super.write(data));
  }

  override hideCursor(): void {
    this.#whileThere(() => super.hideCursor());
  }

  override showCursor(): void {
    this.#whileThere(() => super.showCursor());
  }

  /** Writing to a closed window fails where it cannot be caught. */
  #whileThere(write: () => void): void {
    if (isatty(process.stdout.fd)) write();
    else this.#onGone();
  }

  #take(data: string): void {
    let rest = data;
    while (rest !== "") {
      if (this.#pasted === undefined) {
        const pasted = this.#replies.take(rest, { isExpected: this.#isAnswerExpected });
        if (pasted === undefined) return;
        this.#pasted = [];
        this.#size = 0;
        rest = pasted;
      }
      rest = this.#takePasted(rest);
    }
  }

  #takePasted(data: string): string {
    const pasted = this.#pasted ?? [];
    clearTimeout(this.#timer);
    // The end marker may be split between chunks.
    const held = pasted.length === 0 ? "" : (pasted.pop() ?? "");
    const piece = held + data;
    const at = piece.indexOf(end);
    const text = at === -1 ? piece.slice(0, Math.max(0, piece.length - end.length)) : piece.slice(0, at);
    if (this.#size < maxPasted) pasted.push(text);
    this.#size += text.length;
    if (at === -1) {
      pasted.push(piece.slice(text.length));
      this.#timer = setTimeout(() => this.#endPaste(), pasteEndsMs);
      return "";
    }
    this.#endPaste();
    return piece.slice(at + end.length);
  }

  #endPaste(): void {
    clearTimeout(this.#timer);
    const pasted = this.#pasted;
    this.#pasted = undefined;
    if (pasted === undefined) return;
    const left = this.#size - maxPasted;
    const note = left > 0 ? `\n… (about ${left} more characters were pasted and dropped)` : "";
    this.#onInput(`${begin}${pasted.join("")}${note}${end}`);
  }

  #pass(data: string): void {
    this.#owed = Math.max(0, this.#owed - (data.match(counted)?.length ?? 0));
    if (this.#owed === 0) this.#onAnswered();
    if (data.includes(xtermJs)) this.#isXtermJs = true;
    if (typeof this.#library === "function") Reflect.apply(this.#library, process.stdin, [data]);
  }

  #asked(): void {
    this.#owed += 1;
    this.#askedMs = performance.now();
  }

  get #isAnswerExpected(): boolean {
    return this.#owed > 0 && performance.now() - this.#askedMs < answersWithinMs;
  }

  /**
   * The window may have been resized while the process was stopped; the library notices only after the first frame.
   */
  #refreshSize(): void {
    const refresh: unknown = Reflect.get(process.stdout, "_refreshSize");
    if (typeof refresh === "function") Reflect.apply(refresh, process.stdout, []);
  }
}
