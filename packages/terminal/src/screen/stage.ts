import type { Component, Container, TUI } from "@earendil-works/pi-tui";

export interface Stage extends TUI {
  readonly bottom: Container;
  beforeFrame: () => void;
  print(block: Component): void;
  /** Call after another program has written to the screen. */
  forget(): void;
}
