import {
  CURSOR_MARKER,
  decodeKittyPrintable,
  fuzzyFilter,
  getKeybindings,
  matchesKey,
  truncateToWidth,
  visibleWidth,
  type Component,
  type Focusable,
} from "@earendil-works/pi-tui";
import { clippedLine } from "@incipit/host/text";
import type { Choice } from "../commands/command.ts";
import type { Style } from "../style/style.ts";

export interface PickerOptions {
  readonly title: string;
  readonly choices: readonly Choice[];
  readonly style: Style;
  readonly maxRows: () => number;
  readonly onEnd: (value: string | undefined) => void;
  readonly requestRender: () => void;
}

const mostShown = 12;

/** A list to choose from, which a search narrows. */
export class Picker implements Component, Focusable {
  focused = false;
  readonly #options: PickerOptions;
  #query = "";
  #found: readonly Choice[];
  #index = 0;

  constructor(options: PickerOptions) {
    this.#options = options;
    this.#found = options.choices;
  }

  invalidate(): void {}

  handleInput(data: string): void {
    const keys = getKeybindings();
    if (keys.matches(data, "tui.select.up")) this.#move(-1);
    else if (keys.matches(data, "tui.select.down")) this.#move(1);
    else if (keys.matches(data, "tui.select.pageUp")) this.#move(-mostShown);
    else if (keys.matches(data, "tui.select.pageDown")) this.#move(mostShown);
    else if (matchesKey(data, "enter")) this.#options.onEnd(this.#found[this.#index]?.value);
    else if (matchesKey(data, "escape") || matchesKey(data, "ctrl+c")) this.#options.onEnd(undefined);
    else if (matchesKey(data, "backspace")) this.#search(this.#query.slice(0, -1));
    else if (matchesKey(data, "ctrl+u")) this.#search("");
    else {
      const typed = decodeKittyPrintable(data) ?? printable(data);
      if (typed !== "") this.#search(this.#query + typed);
    }
    this.#options.requestRender();
  }

  render(width: number): string[] {
    const { title, style, maxRows, choices } = this.#options;
    const count = Math.max(1, Math.min(mostShown, maxRows() - 3));
    const first = Math.min(
      Math.max(0, this.#index - Math.floor(count / 2)),
      Math.max(0, this.#found.length - count),
    );
    const shown = this.#found.slice(first, first + count);
    const labelWidth = Math.min(
      Math.floor(width * 0.6),
      Math.max(0, ...shown.map(({ label }) => visibleWidth(clippedLine(label, { maxCharacters: 200 })))) + 2,
    );
    const rows = shown.map((choice, index) =>
      this.#row(choice, { isChosen: first + index === this.#index, labelWidth }),
    );
    const place = this.#found.length === 0 ? "nothing fits" : `${this.#index + 1} of ${this.#found.length}`;
    const of = this.#found.length === choices.length ? "" : ` (${choices.length} in all)`;
    const cursor = this.focused ? CURSOR_MARKER : "";
    return [
      `${style.strong(title)} ${style.accent(this.#query)}${cursor}${style.chosen(" ")}`,
      ...rows,
      style.muted(`  ${place}${of} · type to search, Enter takes it, Esc leaves`),
    ].map((line) => truncateToWidth(line, width, "…"));
  }

  #row(
    { label, description }: Choice,
    { isChosen, labelWidth }: { readonly isChosen: boolean; readonly labelWidth: number },
  ): string {
    const { style } = this.#options;
    const name = truncateToWidth(clippedLine(label, { maxCharacters: 200 }), labelWidth, "…", true);
    const more = description === undefined ? "" : style.muted(clippedLine(description, { maxCharacters: 200 }));
    return isChosen ? `${style.accent(`> ${name}`)}${more}` : `  ${name}${more}`;
  }

  #move(rows: number): void {
    this.#index = Math.min(Math.max(0, this.#index + rows), Math.max(0, this.#found.length - 1));
  }

  #search(query: string): void {
    const { choices } = this.#options;
    this.#query = query;
    this.#found =
      query === ""
        ? choices
        : fuzzyFilter([...choices], query, ({ label, description }) => `${label} ${description ?? ""}`);
    this.#index = 0;
  }
}

/** What is typed or pasted, without what steers. */
function printable(data: string): string {
  const text = data.replaceAll("\u001B[200~", "").replaceAll("\u001B[201~", "");
  return text.startsWith("\u001B") ? "" : text.replaceAll(/\p{Cc}/gu, "");
}
