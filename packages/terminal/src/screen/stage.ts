import type { Component, Container, TUI } from "@earendil-works/pi-tui";

/** Screen of a conversation: a log, and below it an area that changes. */
export interface Stage extends TUI {
  /** Area below the log: the answer being written, editor and status. */
  readonly bottom: Container;
  /** Called before each frame. */
  beforeFrame: () => void;
  /** Appends an immutable block to the log. */
  print(block: Component): void;
  /** Discards the known screen content, because another program has written to it. */
  forget(): void;
}
