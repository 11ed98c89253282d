import { decodeKittyPrintable, isKeyRepeat, matchesKey } from "@earendil-works/pi-tui";

export interface KeyPress {
  readonly data: string;
  /** Nothing else came with the same read, so the key was typed rather than pasted. */
  readonly isAlone: boolean;
}

export interface EditorContent {
  readonly text: string;
  readonly isOffering: boolean;
}

/**
 * - `settling`: the settle time without a key has not passed since the question was drawn.
 * - `pausing`: it has passed, but a key came since; the editor is empty.
 * - `writing`: the editor has text and receives all keys except Shift-Tab.
 * - `ready`: the editor is empty; an answer key arms its answer, Escape denies.
 * - `armed`: the editor has exactly the typed answer key; Enter answers.
 * - `focused`: arrows choose (`index`; `undefined` for no choice yet), Enter answers, Escape leaves.
 * - `answered`: an answer is being sent.
 */
export type AnswerState =
  | { readonly kind: "settling" | "pausing" | "writing" | "ready" | "answered" }
  | { readonly kind: "armed"; readonly key: string }
  | { readonly kind: "focused"; readonly index: number | undefined };

export type KeyTarget =
  | { readonly kind: "editor" | "question" }
  /** A denial unless another key follows shortly. */
  | { readonly kind: "escape" }
  | { readonly kind: "answer"; readonly key: string; readonly isTyped: boolean };

const toEditor: KeyTarget = { kind: "editor" };
const toQuestion: KeyTarget = { kind: "question" };

/**
 * Decides which keys answer a question above the editor. Has no timers: the caller reports with `settled` that the
 * question was visible, without a key, for the settle time.
 *
 * - A letter or digit alone never answers. Typed into an empty editor after a pause, it arms an answer, and Enter
 *   confirms; any other key disarms.
 * - Keys that are pasted, repeated or read together with others do not count, nor does Enter before the armed
 *   answer was drawn.
 * - Shift-Tab always moves into the question: arrows choose, nothing is preselected, and text keys return to the
 *   editor.
 */
export class AnswerKeys {
  #isDrawn = false;
  #hasSettled = false;
  #isQuiet = false;
  #typed: string | undefined;
  /** Only a state that the user saw can be confirmed. */
  #drawn: AnswerState = { kind: "settling" };
  #focus: { readonly index: number | undefined } | undefined;
  #isEscaping = false;
  #isAnswered = false;

  state({ text, isOffering }: EditorContent): AnswerState {
    if (this.#isAnswered) return { kind: "answered" };
    if (this.#focus !== undefined) return { kind: "focused", index: this.#focus.index };
    if (this.#typed !== undefined && this.#typed === text) return { kind: "armed", key: text };
    if (!this.#hasSettled) return { kind: "settling" };
    if (text !== "" || isOffering) return { kind: "writing" };
    return { kind: this.#isQuiet ? "ready" : "pausing" };
  }

  get isDrawn(): boolean {
    return this.#isDrawn;
  }

  drawn(state: AnswerState): void {
    this.#isDrawn = true;
    this.#drawn = state;
  }

  settled(): void {
    if (!this.#isDrawn) return;
    this.#hasSettled = true;
    this.#isQuiet = true;
  }

  disturb(): void {
    this.#isQuiet = false;
    this.#typed = undefined;
    this.#isEscaping = false;
  }

  leave(): void {
    this.disturb();
    this.#focus = undefined;
  }

  reopen(): void {
    this.leave();
    this.#isAnswered = false;
  }

  focus(): void {
    this.#focus = { index: undefined };
  }

  escapeEnded({ text }: EditorContent): boolean {
    const isDenied = this.#isEscaping && text === "";
    this.#isEscaping = false;
    if (isDenied) this.#isAnswered = true;
    return isDenied;
  }

  take({ data, isAlone }: KeyPress, editor: EditorContent, keys: readonly string[]): KeyTarget {
    const state = this.state(editor);
    const wasEscaping = this.#isEscaping;
    if (
      matchesKey(data, "shift+tab") &&
      this.#hasSettled &&
      state.kind !== "focused" &&
      state.kind !== "answered"
    ) {
      this.disturb();
      this.focus();
      return toQuestion;
    }
    this.disturb();
    switch (state.kind) {
      case "focused":
        return this.#takeFocused({ data, isAlone }, state.index, keys);
      case "armed":
        if (isConfirming(data) && isAlone && isSame(this.#drawn, state) && keys.includes(state.key))
          return this.#answer(state.key, { isTyped: true });
        return toEditor;
      case "ready": {
        if (matchesKey(data, "escape")) return this.#escape();
        const text = decodeKittyPrintable(data) ?? data;
        if (isAlone && !isKeyRepeat(data) && this.#drawn.kind === "ready" && keys.includes(text))
          this.#typed = text;
        return toEditor;
      }
      case "pausing":
        return wasEscaping && matchesKey(data, "escape") ? this.#escape() : toEditor;
      case "settling":
      case "writing":
      case "answered":
        return toEditor;
    }
  }

  #takeFocused({ data, isAlone }: KeyPress, index: number | undefined, keys: readonly string[]): KeyTarget {
    const isBack = matchesKey(data, "up") || matchesKey(data, "shift+tab");
    if (isBack || matchesKey(data, "down") || matchesKey(data, "tab")) {
      const next = isBack ? (index ?? keys.length) - 1 : (index ?? -1) + 1;
      this.#focus = { index: keys.length === 0 ? undefined : (next + keys.length) % keys.length };
      return toQuestion;
    }
    if (matchesKey(data, "enter")) {
      const key = index === undefined ? undefined : keys[index];
      const isShown = isSame(this.#drawn, { kind: "focused", index });
      if (key === undefined || !isAlone || isKeyRepeat(data) || !isShown) return toQuestion;
      return this.#answer(key, { isTyped: false });
    }
    this.#focus = undefined;
    return matchesKey(data, "escape") ? toQuestion : toEditor;
  }

  #escape(): KeyTarget {
    this.#isEscaping = true;
    return { kind: "escape" };
  }

  #answer(key: string, { isTyped }: { readonly isTyped: boolean }): KeyTarget {
    this.#focus = undefined;
    this.#isAnswered = true;
    return { kind: "answer", key, isTyped };
  }
}

function isConfirming(data: string): boolean {
  return matchesKey(data, "enter") && !isKeyRepeat(data);
}

function isSame(one: AnswerState, other: AnswerState): boolean {
  if (one.kind === "armed" && other.kind === "armed") return one.key === other.key;
  if (one.kind === "focused" && other.kind === "focused") return one.index === other.index;
  return one.kind === other.kind;
}
