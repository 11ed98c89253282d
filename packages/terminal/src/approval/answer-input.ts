import { AnswerKeys, type AnswerState, type KeyPress, type KeyTarget } from "./answer-keys.ts";
import type { EditorBelow } from "./front-question.ts";
import { QuietTimer, type Timing } from "./quiet-timer.ts";

export interface AnswerInputOptions {
  readonly timing: Timing;
  readonly editor: EditorBelow;
  readonly requestRender: () => void;
  readonly onDeny: () => void;
}

/** The rest of an escape sequence, such as Alt with a letter, arrives in time even on a slow line. */
const maxEscapeMs = 150;

export class AnswerInput {
  readonly #options: AnswerInputOptions;
  readonly #keys = new AnswerKeys();
  readonly #quiet: QuietTimer;
  #cancelEscape: (() => void) | undefined;

  constructor(options: AnswerInputOptions) {
    this.#options = options;
    this.#quiet = new QuietTimer(options.timing, () => {
      this.#keys.settled();
      options.requestRender();
    });
  }

  get state(): AnswerState {
    return this.#keys.state(this.#options.editor.content());
  }

  /** The first call starts the settle time. */
  draw(): AnswerState {
    const { state } = this;
    const isFirst = !this.#keys.isDrawn;
    this.#keys.drawn(state);
    if (isFirst) this.#quiet.restart();
    return state;
  }

  /** A typed answer key is removed from the editor. */
  take(key: KeyPress, keys: readonly string[]): Exclude<KeyTarget, { readonly kind: "escape" }> {
    const { editor, timing } = this.#options;
    this.#cancelEscape?.();
    const target = this.#keys.take(key, editor.content(), keys);
    this.#restart();
    if (target.kind === "answer" && target.isTyped) editor.clear();
    if (target.kind !== "escape") return target;
    this.#cancelEscape = timing.setTimer(() => this.#endEscape(), Math.min(maxEscapeMs, timing.settleMs));
    return { kind: "question" };
  }

  disturb(): void {
    this.#cancelEscape?.();
    this.#keys.leave();
    this.#restart();
  }

  focus(): void {
    this.#keys.focus();
  }

  reopen(): void {
    this.#keys.reopen();
    this.#restart();
  }

  close(): void {
    this.#cancelEscape?.();
    this.#quiet.close();
  }

  #restart(): void {
    if (this.#keys.isDrawn) this.#quiet.restart();
  }

  #endEscape(): void {
    if (this.#keys.escapeEnded(this.#options.editor.content())) this.#options.onDeny();
  }
}
