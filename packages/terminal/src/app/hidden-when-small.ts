import type { Component } from "@earendil-works/pi-tui";

export class HiddenWhenSmall implements Component {
  readonly #shown: Component;
  readonly #hasRoom: () => boolean;

  constructor(shown: Component, hasRoom: () => boolean) {
    this.#shown = shown;
    this.#hasRoom = hasRoom;
  }

  invalidate(): void {
    this.#shown.invalidate();
  }

  render(width: number): readonly string[] {
    return this.#hasRoom() ? this.#shown.render(width) : [];
  }
}
