import type { Component } from "@earendil-works/pi-tui";
import type { AnswerState, EditorContent, KeyPress } from "./answer-keys.ts";

/** A question above the editor. Keys that it does not handle go to the editor. */
export interface FrontQuestion extends Component {
  readonly state: AnswerState;
  /** Handles a key; returns `false` for other keys. */
  takeKey(key: KeyPress): boolean;
  /** Restarts the settle time, because a key went elsewhere or the terminal was away. */
  disturb(): void;
  /** Accepts answers again, because the last one could not be delivered. */
  reopen(): void;
  close(): void;
}

export interface EditorBelow {
  readonly content: () => EditorContent;
  readonly clear: () => void;
  /** Types a text key into the hidden editor. */
  readonly type: (data: string) => void;
}
