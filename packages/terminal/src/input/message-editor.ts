import { CURSOR_MARKER, Editor, matchesKey, type AutocompleteProvider, type TUI } from "@earendil-works/pi-tui";
import type { Style } from "../style/style.ts";
import { editorTheme } from "../style/widget-themes.ts";
import type { Attachments } from "./attachments.ts";
import { Completion } from "./completion.ts";
import { disguised, disguisedControls, disguisedKey, drawn, hiddenIn } from "./editor-encoding.ts";
import { droppedImage } from "./dropped-image.ts";

export interface MessageEditorOptions {
  readonly stage: TUI;
  readonly style: Style;
  readonly attachments: Attachments;
  readonly tell: (text: string) => void;
  readonly keep: (pasted: string) => string;
}

/** Larger pastes are stored outside: the editor copies its whole text with each word. */
const maxHeldCharacters = 65_536;
const pasteBegin = "\u001B[200~";
const pasteEnd = "\u001B[201~";
const rowsAround = 2;

/** Pasted text is kept unchanged (`disguise.ts`); a paste never submits. */
export class MessageEditor extends Editor {
  readonly #options: MessageEditorOptions;
  #wasIndented = false;
  #completion: Completion | undefined;

  constructor(options: MessageEditorOptions) {
    super(options.stage, editorTheme(options.style));
    this.#options = options;
  }

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
    // The library only completes an argument; an unambiguous one also runs the command, like a command without
    // argument.
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
        `The pasted text has ${hidden} invisible or control ${hidden === 1 ? "character" : "characters"}; they are sent with it`,
      );
    if (text.length > maxHeldCharacters) return this.insertTextAtCursor(keep(text));
    super.handleInput(`${pasteBegin}${disguised(text)}${pasteEnd}`);
  }
}

const controlKey = /\p{Cc}\[(\d{2,3});5u/gu;

/**
 * Converts control characters that some terminals paste as key sequences, such as tmux with `extended-keys-format
 * csi-u`.
 */
function withControls(pasted: string): string {
  return pasted.replaceAll(controlKey, (keys, digits: string) => {
    const code = Number(digits) & 0x1f;
    const isLetter = /^(6[5-9]|[78]\d|90|9[7-9]|1[01]\d|12[0-2])$/.test(digits);
    return isLetter ? String.fromCodePoint(code) : keys;
  });
}

/** Trims trailing spaces, since a narrower terminal would wrap a full row into two. */
function shown(row: string): string {
  return drawn(row).replace(/ +$/, "");
}

function croppedAround(rows: string[], most: number): string[] {
  if (rows.length <= most) return rows;
  const at = Math.max(
    0,
    rows.findIndex((row) => row.includes(CURSOR_MARKER)),
  );
  const start = Math.min(Math.max(0, at - Math.floor(most / 2)), rows.length - most);
  return rows.slice(start, start + most);
}
