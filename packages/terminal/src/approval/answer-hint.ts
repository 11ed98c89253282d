import type { Style } from "../style/style.ts";
import type { AnswerState } from "./answer-keys.ts";

/** Stands in place of the answers until they count. */
export const settlingLine = "Your answer counts once you stop typing …";

/** The line below the answers: which key does what in a state. @param options `labelOf`: the words of an answer key. */
export function answerHint(
  state: AnswerState,
  { style, labelOf }: { readonly style: Style; readonly labelOf: (key: string) => string },
): string {
  switch (state.kind) {
    case "armed":
      return style.accent(`${state.key}: ${labelOf(state.key)} (Enter answers)`);
    case "focused":
      return style.muted("Up, Down choose · Enter answers · Esc goes back");
    case "answered":
      return style.muted("Sending your answer …");
    case "writing":
      return style.muted("Keys go to the editor · Shift-Tab answers");
    case "ready":
      return style.muted("Key, then Enter · Esc denies · Shift-Tab chooses");
    case "settling":
    case "pausing":
      return style.muted(settlingLine);
  }
}
