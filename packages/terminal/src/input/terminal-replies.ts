/** An unfinished report is dropped after it. */
const pieceWithinMs = 2_000;
/** Alt-[ may be the start of a report. */
const keyAfterMs = 150;

const escape = "\u001B";
export const pasteBegin = "\u001B[200~";

/* oxlint-disable no-control-regex -- they are looked for */
const whole =
  /\u001B(?:\[[0-?]*[ -/]*[@-~]|(?:\](?=\d)[^\u0000-\u001F]*(?:\u0007|\u001B\\)|(?:P(?=[\d>!+$|])|_(?=G))[^\u0000-\u001F]*\u001B\\))/y;
/** Other letters were typed. */
const colour = /\u001B\](?:(?:1\d|4;\d{1,3});(?:rgba?:[\da-f/]*|#[\da-f]*|rgba?|rg|r)?|4;\d{0,3}|1\d?|4)\u001B?/iy;
const string = /\u001B(?:\](?!1|4;)\d|P[\d>!+$|]|_G)[^\u0000-\u001F]*\u001B?/y;
const control = /\u001B\[[0-?]+[ -/]*/y;
const either = /\u001B[[\]PO_]?$/y;

const report = /^\u001B(?:\[[?>=][0-?]*[ -/]*[@-~]|\[[0-?]*\$[@-~]|\]\d|P|_)/;
/** https://sw.kovidgoyal.net/kitty/keyboard-protocol/#event-types */
const released = /^\u001B\[[\d:]*;\d*:3(?:;[\d:]*)?[A-Zu~]$/;
/** https://sw.kovidgoyal.net/kitty/keyboard-protocol/#functional-key-definitions */
const kittyKey = /^\u001B\[(\d+)[\d:;]*u$/;
/* oxlint-enable no-control-regex */

export function isTerminalReply(sequence: string): boolean {
  return report.test(sequence);
}

/** A release, modifier, lock or media key. */
export function isSilentKey(sequence: string): boolean {
  if (released.test(sequence)) return true;
  const code = Number(kittyKey.exec(sequence)?.[1] ?? 0);
  const isFunctional = code >= 57_344 && code <= 63_743;
  const isKeypad = code >= 57_399 && code <= 57_426;
  return isFunctional && !isKeypad;
}

/**
 * Joins chunks of reports, so that no part is taken for keys. Keys pass immediately, except possible starts of a
 * sequence; an unfinished report delays later input only briefly.
 */
export class TerminalReplies {
  readonly #pass: (data: string) => void;
  #held = "";
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(pass: (data: string) => void) {
    this.#pass = pass;
  }

  /**
   * Text after the start of a paste is returned unscanned. @param isExpected A report was requested, so an Escape may
   * start it.
   */
  take(data: string, { isExpected }: { readonly isExpected: boolean }): string | undefined {
    clearTimeout(this.#timer);
    const { passed, held, pasted } = scan(data, this.#held, isExpected);
    this.#held = held;
    if (held !== "") this.#timer = setTimeout(() => this.#giveUp(), held.length > 2 ? pieceWithinMs : keyAfterMs);
    if (passed !== "") this.#pass(passed);
    return pasted;
  }

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
      // Ended without its terminator; the rest was typed.
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
