import type { Component } from "@earendil-works/pi-tui";
import type { AnswerState, EditorContent, KeyPress } from "./answer-keys.ts";

/** A question that stands above the editor. Keys that it does not take are the editor's. */
export interface FrontQuestion extends Component {
  readonly state: AnswerState;
  /** Takes a key that is meant for the question; `false`: it is not. */
  takeKey(key: KeyPress): boolean;
  /** A key went elsewhere, or the terminal was away: the settle time begins anew. */
  disturb(): void;
  /** The answer did not arrive: it can be given again. */
  reopen(): void;
  close(): void;
}

/** The editor below a question. */
export interface EditorBelow {
  readonly content: () => EditorContent;
  /** Takes the answer key out that was typed. */
  readonly clear: () => void;
  /** Takes a text key that was meant for it while something else stands in its place. */
  readonly type: (data: string) => void;
}
