import { AnswerKeys, type AnswerState, type KeyPress, type KeyTarget } from "./answer-keys.ts";
import type { EditorBelow } from "./front-question.ts";
import { QuietTimer, type Timing } from "./quiet-timer.ts";

export interface AnswerInputOptions {
  readonly timing: Timing;
  readonly editor: EditorBelow;
  readonly requestRender: () => void;
  /** Escape was pressed at an empty, settled editor, and no key followed. */
  readonly onDeny: () => void;
}

/** Escape that begins a key of more bytes, such as Alt with a letter, is followed by them within this time, also on a slow line. */
const maxEscapeMs = 150;

/** `AnswerKeys` with the time that passes, and with the editor that it shares the keys with. */
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

  /** The state that the frame which is drawn now shows. The settle time begins with the first one. */
  draw(): AnswerState {
    const { state } = this;
    const isFirst = !this.#keys.isDrawn;
    this.#keys.drawn(state);
    if (isFirst) this.#quiet.restart();
    return state;
  }

  /** @param keys The answer keys that are offered, in their order. An answer key that was typed is taken out of the editor. */
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

  /** A key went elsewhere. */
  disturb(): void {
    this.#cancelEscape?.();
    this.#keys.leave();
    this.#restart();
  }

  /** Moves into the question by itself. */
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
