import type { Component } from "@earendil-works/pi-tui";
import type { QueuedTurn } from "@incipit/schema";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import type { Choice } from "../commands/command.ts";
import { Attachments, maxAttachedBytes } from "../input/attachments.ts";
import { clipboardImage } from "../input/clipboard-image.ts";
import { disguised, disguisedAsBefore, drawn, undisguised } from "../input/editor-encoding.ts";
import { MessageEditor } from "../input/message-editor.ts";
import { SentHistory } from "../input/sent-history.ts";
import type { TerminalOptions } from "../options/terminal-options.ts";
import type { Stage } from "../screen/stage.ts";
import type { Style } from "../style/style.ts";
import type { Level } from "../transcript/message-blocks.ts";
import { Outbox } from "./outbox.ts";
import { SentImages } from "./sent-images.ts";
import { sizeText } from "../input/size-text.ts";

export interface WritingOptions {
  readonly options: Pick<TerminalOptions, "historyFile" | "openEditor" | "env">;
  readonly stage: Stage;
  readonly lend: (program: () => Promise<void>) => Promise<void>;
  readonly style: Style;
  readonly print: (block: Component) => void;
  readonly tell: (text: string, level?: Level) => void;
  readonly tellProblem: (error: unknown) => void;
  readonly choose: (title: string, choices: readonly Choice[]) => Promise<string | undefined>;
  readonly enter: (text: string) => Promise<string | undefined>;
}

const editorHistory = 100;

/** Older messages come back in the form the host has. */
const maxRemembered = 200;

export class Writing {
  readonly attachments = new Attachments();
  readonly editor: MessageEditor;
  readonly #options: WritingOptions;
  readonly #outbox: Outbox;
  readonly #history: SentHistory;
  readonly #pictures: SentImages;
  readonly #written = new Map<string, string>();

  constructor(options: WritingOptions) {
    const { stage, style, tell, tellProblem, print } = options;
    const { attachments } = this;
    this.#options = options;
    this.editor = new MessageEditor({
      stage,
      style,
      attachments,
      tell,
      keep: (pasted) => storePaste(pasted, { attachments, tell: (text) => tell(text, "warning") }),
    });
    // The editor trims white space; before a command it marks the line as a message.
    this.editor.onSubmit = (text) => this.#enter(this.editor.wasIndented ? ` ${text}` : text);
    this.#outbox = new Outbox({
      enter: (text) => this.#send(text),
      onFailure: (error, texts) => {
        tellProblem(error);
        this.#writeAbove(texts.join("\n"));
      },
    });
    this.#pictures = new SentImages({ print, style });
    this.#history = new SentHistory(options.options.historyFile);
    for (const text of this.#history.newestFirst.slice(0, editorHistory).toReversed())
      this.editor.addToHistory(text);
  }

  begin(): void {
    this.#outbox.open();
  }

  turnBegun(turnId: string): void {
    this.#pictures.begun(turnId);
  }

  write(text: string): void {
    this.#put(disguised(text));
  }

  attachOutput(name: string, text: string): void {
    const written = this.editor.getExpandedText();
    const label = this.attachments.addOutput(name, text);
    this.#put(written === "" ? `${label} ` : `${label}\n${written}`);
  }

  clear(): void {
    this.editor.addToHistory(this.editor.getExpandedText());
    this.#put("");
  }

  takenBack(turnId: string, text: string): void {
    this.#writeAbove(this.#written.get(turnId) ?? disguised(text));
  }

  hasSent(turnId: string): boolean {
    return this.#written.has(turnId);
  }

  takenBackAll(turnIds: readonly string[]): number {
    const queued = turnIds.flatMap((turnId) => this.#written.get(turnId) ?? []);
    const texts = [...queued, ...this.#outbox.takeAll()];
    if (texts.length > 0) this.#writeAbove(texts.join("\n"));
    return texts.length;
  }

  asWritten(queue: readonly QueuedTurn[]): readonly Pick<QueuedTurn, "input">[] {
    const early = this.#outbox.waiting.map((input) => ({ input: drawn(input) }));
    const queued = queue.map(({ turnId, input }) => {
      const written = this.#written.get(turnId);
      return { input: written === undefined ? input : drawn(written) };
    });
    return [...early, ...queued];
  }

  searchHistory(): true {
    const choices = this.#history.newestFirst.map((text) => ({
      value: text,
      label: drawn(text).replaceAll("\n", " ⏎ "),
    }));
    void this.#options.choose("Sent before:", choices).then((text) => {
      if (text !== undefined) this.#put(text);
    });
    return true;
  }

  writeInEditor(): true {
    const { lend, options, tellProblem } = this.#options;
    const before = this.editor.getExpandedText();
    const shown = undisguised(before);
    const openEditor = (path: string): Promise<void> => lend(() => options.openEditor(path));
    editExternally(shown, openEditor).then(
      (text) => text !== shown && this.#put(disguisedAsBefore(text, before)),
      tellProblem,
    );
    return true;
  }

  attachClipboard(): true {
    const { stage, options, tellProblem } = this.#options;
    clipboardImage(options.env).then((image) => {
      this.editor.insertTextAtCursor(`${this.attachments.addImage(image)} `);
      stage.requestRender();
    }, tellProblem);
    return true;
  }

  #put(text: string): void {
    this.editor.setText(text);
    this.#options.stage.requestRender();
  }

  #writeAbove(text: string): void {
    const written = this.editor.getExpandedText();
    this.#put(written === "" ? text : `${text}\n${written}`);
  }

  #enter(text: string): void {
    if (text.trim() === "") return;
    const { tell } = this.#options;
    this.#history.add(text);
    this.editor.addToHistory(text);
    for (const label of this.attachments.missingIn(text))
      tell(`The content of ${label} is no longer available: only its label is sent`, "warning");
    this.#outbox.add(text);
    this.#options.stage.requestRender();
  }

  async #send(text: string): Promise<void> {
    const turnId = await this.#options.enter(text);
    if (turnId === undefined) return;
    this.#written.set(turnId, text);
    const [oldest] = this.#written.keys();
    if (oldest !== undefined && this.#written.size > maxRemembered) this.#written.delete(oldest);
    this.#pictures.sent(turnId, this.attachments.imagesIn(text));
  }
}

/** Editors append a newline, which is removed. @throws {Error} if the editor fails. */
async function editExternally(text: string, openEditor: (path: string) => Promise<void>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "incipit-message-"));
  try {
    const path = join(folder, "message.md");
    await writeFile(path, text, { mode: 0o600 });
    await openEditor(path);
    const written = await readFile(path, "utf8");
    return text.endsWith("\n") ? written : written.replace(/\r?\n$/, "");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function storePaste(
  text: string,
  { attachments, tell }: { readonly attachments: Attachments; readonly tell: (line: string) => void },
): string {
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxAttachedBytes) return `${attachments.addText(text)} `;
  const folder = mkdtempSync(join(tmpdir(), "incipit-pasted-"));
  chmodSync(folder, 0o700);
  const path = join(folder, "pasted.txt");
  writeFileSync(path, text, { mode: 0o600 });
  tell(
    `The pasted text has ${sizeText(bytes)}; the limit for a message is ${sizeText(maxAttachedBytes)}. It was saved in ${path}, where a model with tools can read it in parts`,
  );
  return `${path} `;
}
