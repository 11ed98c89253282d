import type { Component } from "@earendil-works/pi-tui";
import type { Style } from "../style/style.ts";
import type { AnswerInput } from "./answer-input.ts";
import type { EditorContent, KeyPress } from "./answer-keys.ts";

/** Keys that it does not handle go to the editor. */
export interface FrontQuestion extends Component {
  readonly input: AnswerInput;
  takeKey(key: KeyPress): boolean;
}

export interface EditorBelow {
  readonly content: () => EditorContent;
  readonly clear: () => void;
  readonly type: (data: string) => void;
}

export function choiceText(
  { key, label }: { readonly key: string; readonly label: string },
  { chosen, style }: { readonly chosen: string | undefined; readonly style: Style },
): string {
  return key === chosen ? style.accent(`> ${key} ${label}`) : `${style.strong(key)} ${label}`;
}
