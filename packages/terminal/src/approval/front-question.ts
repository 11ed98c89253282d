import type { Component } from "@earendil-works/pi-tui";

/** A question that stands above the editor, and gets the keys first. */
export interface FrontQuestion extends Component {
  handleInput(data: string): void;
  close(): void;
}
