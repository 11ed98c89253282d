import type { Component, Container, TUI } from "@earendil-works/pi-tui";

/** Where a conversation is shown: what has been said, and below it what still changes. */
export interface Stage extends TUI {
  /** What still changes: the answer that is being written, the editor, the status. */
  readonly bottom: Container;
  /** Called before each frame is drawn. */
  beforeFrame: () => void;
  /** Adds a block to what has been said; it does not change any more. */
  print(block: Component): void;
  /** Another program has written to the screen: nothing is known of what it shows. */
  forget(): void;
}
