import { CURSOR_MARKER, Editor, matchesKey, type AutocompleteProvider, type TUI } from "@earendil-works/pi-tui";
import type { Style } from "../style/style.ts";
import { editorTheme } from "../style/widget-themes.ts";
import type { Attachments } from "./attachments.ts";
import { Completion } from "./completion.ts";
import { disguised, disguisedControls, disguisedKey, drawn, hiddenIn } from "./disguise.ts";
import { droppedImage } from "./dropped-image.ts";

export interface MessageEditorOptions {
  readonly stage: TUI;
  readonly style: Style;
  readonly attachments: Attachments;
  /** Says what a person may not see by themselves. */
  readonly tell: (text: string) => void;
  /** Keeps what is too much for a message; gives the words that are put in its place. */
  readonly keep: (pasted: string) => string;
}

/** Larger ones are kept beside the editor, which copies all that it holds with each word. */
const maxHeldCharacters = 65_536;
const pasteBegin = "\u001B[200~";
const pasteEnd = "\u001B[201~";
/** Rows of the screen that are left to what is around the editor. */
const rowsAround = 2;

/** Where a message is written. What was pasted is in it as it is, see `disguise.ts`; a paste never sends. */
export class MessageEditor extends Editor {
  readonly #options: MessageEditorOptions;
  #wasIndented = false;
  #completion: Completion | undefined;

  constructor(options: MessageEditorOptions) {
    super(options.stage, editorTheme(options.style));
    this.#options = options;
  }

  /** What was written began with white space when the last key came. */
  get wasIndented(): boolean {
    return this.#wasIndented;
  }

  override setAutocompleteProvider(provider: AutocompleteProvider): void {
    super.setAutocompleteProvider(provider);
    this.#completion = provider instanceof Completion ? provider : undefined;
  }

  override handleInput(data: string): void {
    const isCommand = this.getCursor().line === 0 && /^\/\S+\s/.test(this.getLines()[0] ?? "");
    const runs =
      isCommand &&
      matchesKey(data, "enter") &&
      this.isShowingAutocomplete() &&
      this.#completion?.isDecided === true;
    this.#take(data);
    // The library only completes an argument: where there is no choice, the command runs as one without does.
    if (runs && this.getText() !== "" && !this.isShowingAutocomplete()) this.#take(data);
  }

  #take(data: string): void {
    this.#wasIndented = /^\s/.test(this.getLines()[0] ?? "");
    if (data.startsWith(pasteBegin)) return this.#paste(data.slice(pasteBegin.length).split(pasteEnd, 1)[0] ?? "");
    const label = matchesKey(data, "backspace") ? this.#labelBefore() : undefined;
    if (label !== undefined) for (let left = label.length; left > 1; left -= 1) super.handleInput(data);
    super.handleInput(data.length > 0 && data.charCodeAt(0) > 0x7f ? disguisedKey(data, this.#lineBefore) : data);
  }

  override setText(text: string): void {
    super.setText(disguisedControls(text.toWellFormed()));
  }

  override addToHistory(text: string): void {
    super.addToHistory(disguisedControls(text.toWellFormed()));
  }

  override render(width: number): string[] {
    return croppedAround(super.render(width).map(shown), Math.max(1, this.tui.terminal.rows - rowsAround));
  }

  #labelBefore(): string | undefined {
    return this.#options.attachments.labelBefore(this.#lineBefore);
  }

  /** The line of the cursor, up to the cursor. */
  get #lineBefore(): string {
    const { line, col } = this.getCursor();
    return (this.getLines()[line] ?? "").slice(0, col);
  }

  #paste(pasted: string): void {
    const { attachments, keep, tell } = this.#options;
    const text = withControls(pasted).replaceAll(/\r\n?/g, "\n").toWellFormed();
    const image = droppedImage(text);
    if (image !== undefined) return this.insertTextAtCursor(`${attachments.addImage(image)} `);
    const hidden = hiddenIn(text);
    if (hidden > 0)
      tell(
        `What was pasted has ${hidden} ${hidden === 1 ? "character that cannot" : "characters that cannot"} be seen, or would steer a terminal; they are sent with it`,
      );
    if (text.length > maxHeldCharacters) return this.insertTextAtCursor(keep(text));
    super.handleInput(`${pasteBegin}${disguised(text)}${pasteEnd}`);
  }
}

const controlKey = /\p{Cc}\[(\d{2,3});5u/gu;

/** Some terminals write a control of what is pasted as the key that makes it, such as tmux with `extended-keys-format csi-u`. */
function withControls(pasted: string): string {
  return pasted.replaceAll(controlKey, (keys, digits: string) => {
    const code = Number(digits) & 0x1f;
    const isLetter = /^(6[5-9]|[78]\d|90|9[7-9]|1[01]\d|12[0-2])$/.test(digits);
    return isLetter ? String.fromCodePoint(code) : keys;
  });
}

/** Without the spaces at its end: a terminal that gets narrower would make two rows of one that is full. */
function shown(row: string): string {
  return drawn(row).replace(/ +$/, "");
}

/** As many rows as there is room for, with that of the cursor. */
function croppedAround(rows: string[], most: number): string[] {
  if (rows.length <= most) return rows;
  const at = Math.max(
    0,
    rows.findIndex((row) => row.includes(CURSOR_MARKER)),
  );
  const start = Math.min(Math.max(0, at - Math.floor(most / 2)), rows.length - most);
  return rows.slice(start, start + most);
}
