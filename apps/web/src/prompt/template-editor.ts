import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { lintKeymap, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import type { LintFinding, SystemPromptVariable } from "@incipit/schema";
import { promptWords } from "../text/prompt-words.ts";
import { editorTheme } from "./editor-theme.ts";
import { tagCompletion } from "./tag-completion.ts";
import { tagMarks } from "./tag-marks.ts";
import { blocksOf, tagsOf } from "./template-tags.ts";

interface TemplateEditorOptions {
  /** CodeMirror's styles are allowed by the content security policy only in a shadow root. */
  readonly element: HTMLElement;
  readonly text: string;
  readonly label: string;
  readonly variables: readonly SystemPromptVariable[];
  readonly onChange: () => void;
  readonly onSave: () => void;
}

/** Keeps the text unchanged, including line endings. */
export class TemplateEditor {
  readonly #view: EditorView;

  constructor({ element, text, label, variables, onChange, onSave }: TemplateEditorOptions) {
    const root = element.shadowRoot ?? element.attachShadow({ mode: "open" });
    const save = (): boolean => {
      onSave();
      return true;
    };
    const extensions = [
      // Otherwise CodeMirror normalizes all line endings.
      EditorState.lineSeparator.of("\n"),
      EditorView.clipboardInputFilter.of((pasted) => pasted.replaceAll(/\r\n?/g, "\n")),
      lineNumbers(),
      highlightActiveLineGutter(),
      history(),
      EditorView.lineWrapping,
      EditorView.perLineTextDirection.of(true),
      // A tag is on one line, so Enter accepts a completion.
      autocompletion({ override: [tagCompletion(variables)], icons: false, interactionDelay: 0 }),
      keymap.of([
        { key: "Mod-s", run: save },
        ...completionKeymap,
        ...lintKeymap,
        ...historyKeymap,
        ...defaultKeymap,
      ]),
      EditorView.contentAttributes.of({ "aria-label": label, "aria-multiline": "true", spellcheck: "true" }),
      EditorView.updateListener.of(({ docChanged }) => {
        if (docChanged) onChange();
      }),
      tagMarks(),
      editorTheme(),
    ];
    this.#view = new EditorView({ state: EditorState.create({ doc: text, extensions }), parent: root, root });
  }

  get text(): string {
    return this.#view.state.sliceDoc();
  }

  focus(): void {
    this.#view.focus();
  }

  insert(text: string): void {
    this.#view.dispatch(this.#view.state.replaceSelection(text), { scrollIntoView: true, userEvent: "input" });
    this.focus();
  }

  surround(before: string, after: string): void {
    const { state } = this.#view;
    const { from, to } = state.selection.main;
    this.#view.dispatch({
      changes: [
        { from, insert: before },
        { from: to, insert: after },
      ],
      selection: { anchor: from + before.length, head: to + before.length },
      scrollIntoView: true,
      userEvent: "input",
    });
    this.focus();
  }

  /** `taken` if the block already has one. */
  placeForElse(): "free" | "taken" | "outside" {
    const { from } = this.#view.state.selection.main;
    const block = blocksOf(tagsOf(this.text)).find(({ open, close }) => open.to <= from && from <= close.from);
    if (block === undefined) return "outside";
    return block.otherwise === undefined ? "free" : "taken";
  }

  reveal(from: number, to: number): void {
    const { length } = this.#view.state.doc;
    const selection = { anchor: Math.min(from, length), head: Math.min(to, length) };
    this.#view.dispatch({ selection, effects: EditorView.scrollIntoView(selection.anchor, { y: "center" }) });
    this.focus();
  }

  /** Undoable as one edit. */
  replaceText(text: string): void {
    this.#view.dispatch({
      changes: { from: 0, to: this.#view.state.doc.length, insert: text },
      userEvent: "input",
    });
  }

  replaceRange({
    from,
    to,
    insert,
  }: {
    readonly from: number;
    readonly to: number;
    readonly insert: string;
  }): void {
    this.#view.dispatch({ changes: { from, to, insert }, userEvent: "input" });
    this.reveal(from, from + insert.length);
  }

  slice(from: number, to: number): string {
    return this.#view.state.sliceDoc(from, to);
  }

  showFindings(findings: readonly LintFinding[]): void {
    const { state } = this.#view;
    const { length } = state.doc;
    const diagnostics = findings.map(
      ({ offset, length: size, severity, message, fix, replacement }): Diagnostic => {
        const actions =
          replacement === null
            ? []
            : [
                {
                  name: promptWords.findings.replace(replacement),
                  apply: (view: EditorView, from: number, to: number) =>
                    view.dispatch({ changes: { from, to, insert: replacement } }),
                },
              ];
        return {
          from: Math.min(offset, length),
          to: Math.min(offset + size, length),
          severity,
          message: `${message}\n${fix}`,
          actions,
        };
      },
    );
    this.#view.dispatch(setDiagnostics(state, diagnostics));
  }

  close(): void {
    this.#view.destroy();
  }
}
