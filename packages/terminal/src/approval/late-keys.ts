import { matchesKey, type KeyId } from "@earendil-works/pi-tui";
import type { AnswerState, EditorContent, KeyPress } from "./answer-keys.ts";
import type { Timing } from "./quiet-timer.ts";

/** Keys that would have an effect after the question has ended. */
function questionKeys({ kind }: AnswerState): readonly KeyId[] {
  if (kind === "focused") return ["enter", "up", "down", "tab", "shift+tab", "escape"];
  return kind === "answered" ? ["enter"] : ["escape"];
}

/**
 * Withholds keys from the editor that were meant for a question that has just ended: Enter would send the answer key
 * or a draft as a message, and Escape would stop the turn.
 */
export class LateKeys {
  readonly #timing: Timing;
  readonly #onLateAnswer: (key: string) => void;
  #waiting: { readonly state: AnswerState; readonly untilMs: number } | undefined;

  constructor(timing: Timing, onLateAnswer: (key: string) => void) {
    this.#timing = timing;
    this.#onLateAnswer = onLateAnswer;
  }

  begin(state: AnswerState): void {
    this.#waiting = { state, untilMs: this.#timing.now() + this.#timing.settleMs };
  }

  take({ data }: KeyPress, { text, isOffering }: EditorContent): boolean {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting === undefined) return false;
    const { state, untilMs } = waiting;
    if (state.kind === "armed") {
      if (!matchesKey(data, "enter") || text !== state.key) return false;
      this.#onLateAnswer(state.key);
      return true;
    }
    if (this.#timing.now() > untilMs || isOffering) return false;
    if (!questionKeys(state).some((key) => matchesKey(data, key))) return false;
    this.begin(state); // A held key repeats.
    return true;
  }
}
