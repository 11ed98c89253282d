import type { QueuedTurn } from "@incipit/schema";
import { truncateToWidth, type Component } from "@earendil-works/pi-tui";
import { clippedLine } from "@incipit/schema/text";
import type { Style } from "../style/style.ts";

const shown = 4;

export class QueueLines implements Component {
  readonly #queue: () => readonly Pick<QueuedTurn, "input">[];
  readonly #style: Style;

  constructor(queue: () => readonly Pick<QueuedTurn, "input">[], style: Style) {
    this.#queue = queue;
    this.#style = style;
  }

  invalidate(): void {}

  render(width: number): string[] {
    const queue = this.#queue();
    if (queue.length === 0) return [];
    const lines = queue
      .slice(0, shown)
      .map(({ input }, index) => `${index + 1}. ${clippedLine(input, { maxCharacters: 200 })}`);
    const more = queue.length > shown ? [`… and ${queue.length - shown} more`] : [];
    return ["Queued (Alt-Up edits the last one):", ...lines, ...more].map((line) =>
      this.#style.muted(truncateToWidth(`  ${line}`, width, "…")),
    );
  }
}
