import { decodeKittyPrintable, isKeyRepeat, matchesKey } from "@earendil-works/pi-tui";

/** A key of the terminal, as the program reads it. */
export interface KeyPress {
  /** The sequence that the terminal sent. */
  readonly data: string;
  /** Nothing else came with the same read: it was pressed by itself, and not pasted. */
  readonly isAlone: boolean;
}

/** What the editor holds when a key comes, before it takes the key. */
export interface EditorContent {
  readonly text: string;
  /** A list of completions is open, and takes Enter, Tab, Escape and the arrows. */
  readonly isOffering: boolean;
}

/**
 * - `settling`: no settle time without a key has passed since the question was drawn.
 * - `pausing`: one has, but a key came since; the editor is empty.
 * - `writing`: the editor holds text, and takes every key but the one that moves into the question.
 * - `ready`: the editor is empty; an answer key arms its answer, Escape denies.
 * - `armed`: the editor holds the one answer key that was typed; Enter answers.
 * - `focused`: arrows choose (`index`; `undefined`: nothing yet), Enter answers, Escape leaves.
 * - `answered`: an answer is under way.
 */
export type AnswerState =
  | { readonly kind: "settling" | "pausing" | "writing" | "ready" | "answered" }
  | { readonly kind: "armed"; readonly key: string }
  | { readonly kind: "focused"; readonly index: number | undefined };

/** Who takes a key: the editor (with the other keys of the terminal), the question, or an answer that it gives. */
export type KeyTarget =
  | { readonly kind: "editor" | "question" }
  /** A denial, unless another key follows within a moment. */
  | { readonly kind: "escape" }
  | { readonly kind: "answer"; readonly key: string; readonly isTyped: boolean };

const toEditor: KeyTarget = { kind: "editor" };
const toQuestion: KeyTarget = { kind: "question" };

/**
 * Decides which keys answer a question that stands above the editor. It knows nothing of time: `settled` is called once the
 * question has been on the screen, and no key has come, for the settle time.
 *
 * - A letter or digit alone never answers. Typed into an empty editor after a pause it arms an answer, and Enter gives it; any
 *   other key disarms.
 * - Neither key counts if it is pasted, repeated, or came in one read with others, nor Enter before the armed answer was drawn.
 * - Whatever the editor holds, Shift-Tab moves into the question: arrows choose, nothing is preselected, and a text key goes
 *   back to the editor.
 */
export class AnswerKeys {
  #isDrawn = false;
  #hasSettled = false;
  #isQuiet = false;
  /** The answer key that was typed into the empty editor by the last key. */
  #typed: string | undefined;
  /** The state that was on the screen last: what is not drawn is not confirmed. */
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

  /** Whether the question has been on the screen at all. */
  get isDrawn(): boolean {
    return this.#isDrawn;
  }

  /** A frame shows this state. */
  drawn(state: AnswerState): void {
    this.#isDrawn = true;
    this.#drawn = state;
  }

  /** The settle time has passed since the first frame and since the last key. */
  settled(): void {
    if (!this.#isDrawn) return;
    this.#hasSettled = true;
    this.#isQuiet = true;
  }

  /** A key went elsewhere, such as Ctrl-C or one to a list in front. */
  disturb(): void {
    this.#isQuiet = false;
    this.#typed = undefined;
    this.#isEscaping = false;
  }

  /** Gives the keys back to the editor. */
  leave(): void {
    this.disturb();
    this.#focus = undefined;
  }

  /** The answer did not arrive: the question stands as before. */
  reopen(): void {
    this.leave();
    this.#isAnswered = false;
  }

  /** Moves into the question by itself, such as from one part of it to the next. */
  focus(): void {
    this.#focus = { index: undefined };
  }

  /** Nothing came behind the Escape; `true`: it denies. */
  escapeEnded({ text }: EditorContent): boolean {
    const isDenied = this.#isEscaping && text === "";
    this.#isEscaping = false;
    if (isDenied) this.#isAnswered = true;
    return isDenied;
  }

  /** @param keys The answer keys that are offered, in their order. */
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
