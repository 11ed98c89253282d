import type { Component } from "@earendil-works/pi-tui";
import type { AnswerState, EditorContent, KeyPress } from "./answer-keys.ts";

/** Keys that it does not handle go to the editor. */
export interface FrontQuestion extends Component {
  readonly state: AnswerState;
  takeKey(key: KeyPress): boolean;
  disturb(): void;
  reopen(): void;
  close(): void;
}

export interface EditorBelow {
  readonly content: () => EditorContent;
  readonly clear: () => void;
  readonly type: (data: string) => void;
}
