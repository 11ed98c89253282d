/** A report may come in pieces that are so far apart; what has not ended by then is dropped. */
const pieceWithinMs = 2_000;
/** What may be a key by itself, such as Alt-[, waits so long for the rest of a report. */
const keyAfterMs = 150;

const escape = "\u001B";
/** Bracketed paste. */
export const pasteBegin = "\u001B[200~";

/* oxlint-disable no-control-regex -- they are looked for */
/** A whole control sequence, or a whole string, such as a colour. Keys are among them. */
const whole =
  /\u001B(?:\[[0-?]*[ -/]*[@-~]|(?:\](?=\d)[^\u0000-\u001F]*(?:\u0007|\u001B\\)|(?:P(?=[\d>!+$|])|_(?=G))[^\u0000-\u001F]*\u001B\\))/y;
/** The beginning of a colour; a letter that is none of it was typed. */
const colour = /\u001B\](?:(?:1\d|4;\d{1,3});(?:rgba?:[\da-f/]*|#[\da-f]*|rgba?|rg|r)?|4;\d{0,3}|1\d?|4)\u001B?/iy;
/** The beginning of another string. */
const string = /\u001B(?:\](?!1|4;)\d|P[\d>!+$|]|_G)[^\u0000-\u001F]*\u001B?/y;
/** The beginning of a control sequence. */
const control = /\u001B\[[0-?]+[ -/]*/y;
/** What may be a key, too. */
const either = /\u001B[[\]PO_]?$/y;

/** A terminal's answer, or what it reports by itself: a colour, its attributes, a mode, its version. */
const report = /^\u001B(?:\[[?>=][0-?]*[ -/]*[@-~]|\[[0-?]*\$[@-~]|\]\d|P|_)/;
/** https://sw.kovidgoyal.net/kitty/keyboard-protocol/#event-types */
const released = /^\u001B\[[\d:]*;\d*:3(?:;[\d:]*)?[A-Zu~]$/;
/** https://sw.kovidgoyal.net/kitty/keyboard-protocol/#functional-key-definitions */
const kittyKey = /^\u001B\[(\d+)[\d:;]*u$/;
/* oxlint-enable no-control-regex */

/** Whether a sequence is no key: a report of the terminal, which is never text. */
export function isTerminalReply(sequence: string): boolean {
  return report.test(sequence);
}

/** Whether a key types nothing and means nothing here: it was released, or is a modifier, a lock or a media key. */
export function isSilentKey(sequence: string): boolean {
  if (released.test(sequence)) return true;
  const code = Number(kittyKey.exec(sequence)?.[1] ?? 0);
  const isFunctional = code >= 57_344 && code <= 63_743;
  const isKeypad = code >= 57_399 && code <= 57_426;
  return isFunctional && !isKeypad;
}

/**
 * Joins what a terminal sends in pieces, so that no piece of a report is taken for keys. Keys pass at once, but for the beginning
 * of a sequence. A report that does not end is dropped, and never keeps what is typed behind it for long.
 */
export class TerminalReplies {
  readonly #pass: (data: string) => void;
  #held = "";
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param pass Takes keys and whole sequences. */
  constructor(pass: (data: string) => void) {
    this.#pass = pass;
  }

  /**
   * Returns what follows the beginning of a paste, which is looked at by nobody here.
   * @param isExpected A report was asked for: an Escape may be its beginning.
   */
  take(data: string, { isExpected }: { readonly isExpected: boolean }): string | undefined {
    clearTimeout(this.#timer);
    const { passed, held, pasted } = scan(data, this.#held, isExpected);
    this.#held = held;
    if (held !== "") this.#timer = setTimeout(() => this.#giveUp(), held.length > 2 ? pieceWithinMs : keyAfterMs);
    if (passed !== "") this.#pass(passed);
    return pasted;
  }

  /** Drops what has not ended. */
  close(): void {
    clearTimeout(this.#timer);
    this.#held = "";
  }

  #giveUp(): void {
    const held = this.#held;
    this.#held = "";
    if (held.length <= 2) this.#pass(held);
  }
}

interface Scanned {
  readonly passed: string;
  /** May become a sequence with what comes next. */
  readonly held: string;
  readonly pasted?: string;
}

function scan(data: string, before: string, isExpected: boolean): Scanned {
  const text = before + data;
  let passed = "";
  for (let at = 0; ;) {
    const next = text.indexOf(escape, at);
    if (next === -1) return { passed: passed + text.slice(at), held: "" };
    passed += text.slice(at, next);
    const found = matchAt(whole, text, next);
    if (found === pasteBegin) return { passed, held: "", pasted: text.slice(next + found.length) };
    const begun = matchAt(colour, text, next) ?? matchAt(string, text, next) ?? matchAt(control, text, next);
    if (found !== undefined) {
      passed += found;
      at = next + found.length;
    } else if (begun !== undefined) {
      // It ended without its end: what follows was typed.
      at = next + begun.length;
      if (at === text.length) return { passed, held: begun };
      if (begun.endsWith(escape)) at -= 1;
    } else if (matchAt(either, text, next) !== undefined && (text.length - next > 1 || isExpected))
      return { passed, held: text.slice(next) };
    else {
      passed += escape;
      at = next + 1;
    }
  }
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
