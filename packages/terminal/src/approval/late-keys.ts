import { matchesKey, type KeyId } from "@earendil-works/pi-tui";
import type { AnswerState, EditorContent, KeyPress } from "./answer-keys.ts";
import type { Timing } from "./quiet-timer.ts";

/** Keys for a question in this state that would have an effect after it has ended. */
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

  /** @param onLateAnswer Called for Enter after an answer key; the key is still in the editor. */
  constructor(timing: Timing, onLateAnswer: (key: string) => void) {
    this.#timing = timing;
    this.#onLateAnswer = onLateAnswer;
  }

  /** @param state State of the ended question. */
  begin(state: AnswerState): void {
    this.#waiting = { state, untilMs: this.#timing.now() + this.#timing.settleMs };
  }

  /** Whether a key was meant for the ended question. */
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
