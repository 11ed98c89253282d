import {
  CURSOR_MARKER,
  decodeKittyPrintable,
  getKeybindings,
  isKeyRepeat,
  matchesKey,
  truncateToWidth,
  visibleWidth,
  wrapTextWithAnsi,
  type Component,
  type Focusable,
} from "@earendil-works/pi-tui";
import { clippedLine } from "@incipit/schema/text";
import { settlingLine } from "../approval/answer-hint.ts";
import type { KeyPress } from "../approval/answer-keys.ts";
import { QuietTimer, type Timing } from "../approval/quiet-timer.ts";
import type { Choice, ChooseOptions } from "../commands/command.ts";
import type { Style } from "../style/style.ts";
import { FoundChoices } from "./found-choices.ts";
import { Previews } from "./previews.ts";

export interface PickerOptions extends ChooseOptions {
  readonly title: string;
  readonly choices: readonly Choice[];
  readonly style: Style;
  readonly maxRows: () => number;
  readonly onEnd: (value: string | undefined) => void;
  readonly requestRender: () => void;
  readonly timing: Timing;
  readonly typeBelow: (data: string) => void;
}

const mostShown = 12;
const besideFrom = 100;
const rowsBelow = 5;
const leastBeside = 8;
const between = " │ ";
const mark = 2;
const gap = 2;

/**
 * With `isQuestion`, no key selects until the list was visible for the settle time without typing; search is off, and
 * text keys go to the editor.
 */
export class Picker implements Component, Focusable {
  focused = false;
  readonly #options: PickerOptions;
  readonly #list: FoundChoices;
  readonly #previews: Previews | undefined;
  #index = 0;
  readonly #quiet: QuietTimer | undefined;
  #isDrawn = false;
  #isReady = true;

  constructor(options: PickerOptions) {
    const { choices, current, preview, query = "", requestRender } = options;
    this.#options = options;
    this.#list = new FoundChoices(choices);
    if (options.isQuestion === true) {
      this.#isReady = false;
      this.#quiet = new QuietTimer(options.timing, () => {
        this.#isReady = true;
        requestRender();
      });
    }
    this.#previews = preview === undefined ? undefined : new Previews(preview, requestRender);
    if (query !== "") this.#list.search(query);
    this.#index = Math.max(
      0,
      this.#list.found.findIndex(({ value }) => value === current),
    );
    this.#previews?.want(this.#chosen?.value);
  }

  invalidate(): void {}

  disturb(): void {
    if (this.#quiet === undefined) return;
    this.#isReady = false;
    if (this.#isDrawn) this.#quiet.restart();
    this.#options.requestRender();
  }

  close(): void {
    this.#quiet?.close();
  }

  takeKey({ data, isAlone }: KeyPress): boolean {
    if (this.#quiet === undefined || matchesKey(data, "escape") || matchesKey(data, "ctrl+c")) return false;
    const text = decodeKittyPrintable(data) ?? printable(data);
    if (text !== "") this.#options.typeBelow(data);
    else if (this.#isReady && (!matchesKey(data, "enter") || (isAlone && !isKeyRepeat(data)))) return false;
    this.disturb();
    return true;
  }

  get #chosen(): Choice | undefined {
    return this.#list.found[this.#index];
  }

  handleInput(data: string): void {
    const keys = getKeybindings();
    const { query } = this.#list;
    if (keys.matches(data, "tui.select.up")) this.#move(-1);
    else if (keys.matches(data, "tui.select.down")) this.#move(1);
    else if (keys.matches(data, "tui.select.pageUp")) this.#move(-mostShown);
    else if (keys.matches(data, "tui.select.pageDown")) this.#move(mostShown);
    else if (matchesKey(data, "enter")) return this.#end(this.#chosen?.value);
    else if (matchesKey(data, "escape") || matchesKey(data, "ctrl+c")) return this.#end(undefined);
    else if (matchesKey(data, "backspace")) this.#search(query.slice(0, -1));
    else if (matchesKey(data, "ctrl+u")) this.#search("");
    else {
      const typed = decodeKittyPrintable(data) ?? printable(data);
      if (typed !== "") this.#search(query + typed);
    }
    this.#previews?.want(this.#chosen?.value);
    this.#options.requestRender();
  }

  render(width: number): string[] {
    const { title, style, maxRows, choices, empty } = this.#options;
    if (!this.#isDrawn) this.#quiet?.restart();
    this.#isDrawn = true;
    const cursor = this.focused ? CURSOR_MARKER : "";
    const head = wrapTextWithAnsi(
      `${style.strong(title)} ${style.accent(this.#list.query)}${cursor}${style.chosen(" ")}`,
      width,
    );
    if (choices.length === 0) {
      const what = empty ?? "No choices";
      return [...head, ...wrapTextWithAnsi(style.muted(`  ${what} · Esc cancels`), width)];
    }
    const room = Math.max(1, maxRows() - head.length - 1);
    return [...head, ...this.#entries(width, room), this.#foot(width)].map((line) =>
      truncateToWidth(line, width, "…"),
    );
  }

  #entries(width: number, room: number): readonly string[] {
    if (this.#previews === undefined) return this.#rows(width, Math.min(mostShown, room));
    const chosen = this.#chosen;
    const shown = chosen === undefined ? [] : (this.#previews.of(chosen.value) ?? ["…"]);
    const { style } = this.#options;
    if (width < besideFrom) {
      const below = Math.min(rowsBelow, Math.max(0, room - 3));
      const rows = this.#rows(width, Math.min(mostShown, room - below));
      const lines = shown.flatMap((line) => wrapTextWithAnsi(line, width - 2)).slice(0, below);
      // Padded, so that the editor does not move.
      const padded = Array.from({ length: below }, (_, row) => lines[row] ?? "");
      return [...rows, ...padded.map((line) => `${style.muted("│ ")}${line}`)];
    }
    const listWidth = Math.floor((width - between.length) / 2);
    const count = Math.min(mostShown, room, Math.max(leastBeside, this.#options.choices.length));
    const rows = this.#rows(listWidth, count);
    const lines = shown.flatMap((line) => wrapTextWithAnsi(line, width - listWidth - between.length));
    return Array.from(
      { length: count },
      (_, row) =>
        `${truncateToWidth(rows[row] ?? "", listWidth, "…", true)}${style.muted(between)}${lines[row] ?? ""}`,
    );
  }

  #rows(width: number, count: number): readonly string[] {
    const { found } = this.#list;
    const first = Math.min(Math.max(0, this.#index - Math.floor(count / 2)), Math.max(0, found.length - count));
    const shown = found.slice(first, first + count);
    const described = Math.max(0, ...shown.map(({ description = "" }) => visibleWidth(description)));
    // Names may use the width that short descriptions leave.
    const most = Math.max(Math.floor(width * 0.6), width - described - 2 * mark);
    const labelWidth = Math.min(
      described === 0 ? width - mark : most,
      Math.max(0, ...shown.map((choice) => visibleWidth(this.#name(choice)))) + gap,
    );
    return shown.map((choice, index) => this.#row(choice, { isChosen: first + index === this.#index, labelWidth }));
  }

  #row(
    choice: Choice,
    { isChosen, labelWidth }: { readonly isChosen: boolean; readonly labelWidth: number },
  ): string {
    const { style } = this.#options;
    const { description } = choice;
    const more = description === undefined ? "" : style.muted(clippedLine(description, { maxCharacters: 200 }));
    const room = more === "" ? labelWidth : labelWidth - gap;
    const label = truncateToWidth(this.#name(choice), Math.max(1, room), "…", true);
    const name = `${label}${" ".repeat(labelWidth - room)}`;
    return isChosen && this.#isReady ? `${style.accent(`> ${name}`)}${more}` : `  ${name}${more}`;
  }

  #name({ label, value }: Choice): string {
    const name = clippedLine(label, { maxCharacters: 200 });
    return value === this.#options.current ? `${name} (current)` : name;
  }

  #foot(width: number): string {
    const { choices, style } = this.#options;
    if (!this.#isReady) return style.muted(`  ${settlingLine}`);
    const { found } = this.#list;
    const isEmpty = found.length === 0;
    const place = isEmpty ? "no matches" : `${this.#index + 1} of ${found.length}`;
    const of = found.length === choices.length ? "" : ` (${choices.length} in total)`;
    const hints =
      this.#quiet !== undefined
        ? ["Up, Down choose, Enter selects, Esc cancels", "Enter selects, Esc cancels", "Esc cancels"]
        : isEmpty
          ? ["Backspace widens the search, Esc cancels", "Esc cancels"]
          : ["type to search, Enter selects, Esc cancels", "type, Enter selects, Esc cancels", "Esc cancels"];
    const rows = hints.map((hint) => `  ${place}${of} · ${hint}`);
    return style.muted(rows.find((row) => visibleWidth(row) <= width) ?? `  ${place}${of}`);
  }

  #end(value: string | undefined): void {
    this.close();
    this.#options.onEnd(value);
  }

  #move(rows: number): void {
    this.#index = Math.min(Math.max(0, this.#index + rows), Math.max(0, this.#list.found.length - 1));
  }

  #search(query: string): void {
    this.#list.search(query);
    this.#index = 0;
  }
}

function printable(data: string): string {
  const text = data.replaceAll("\u001B[200~", "").replaceAll("\u001B[201~", "");
  return text.startsWith("\u001B") ? "" : text.replaceAll(/\p{Cc}/gu, "");
}
