import type { Style } from "../style/style.ts";
import type { AnswerState } from "./answer-keys.ts";

export const settlingLine = "Waiting until you stop typing …";

export function answerHint(
  state: AnswerState,
  { style, labelOf }: { readonly style: Style; readonly labelOf: (key: string) => string },
): string {
  switch (state.kind) {
    case "armed":
      return style.accent(`${state.key}: ${labelOf(state.key)} (Enter answers)`);
    case "focused":
      return style.muted("Up, Down choose · Enter answers · Esc returns");
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
