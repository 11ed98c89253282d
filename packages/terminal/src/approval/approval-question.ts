import type { ApprovalAnswer } from "@incipit/client/session";
import { approvalLines, renderApproval, type Approval, type RenderedApproval } from "@incipit/schema";
import { matchesKey, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { clippedLine } from "@incipit/schema/text";
import type { Style } from "../style/style.ts";
import { hanging, harmless } from "../transcript/block.ts";
import { AnswerInput } from "./answer-input.ts";
import type { AnswerState, KeyPress } from "./answer-keys.ts";
import { choiceText, type EditorBelow, type FrontQuestion } from "./front-question.ts";
import { answerHint, settlingLine } from "./answer-hint.ts";
import type { Timing } from "./quiet-timer.ts";
import { diffLines } from "../transcript/diff-lines.ts";

/** UTF-16 units; longer lines must be read in full (Ctrl-O) before an answer. */
const maxLine = 400;
/** UTF-16 units; longer ones must be read in full (Ctrl-O) before an answer. */
const maxCovers = 240;

export interface ApprovalQuestionOptions {
  readonly approval: Approval;
  readonly style: Style;
  readonly maxRows: () => number;
  readonly onAnswer: (answer: ApprovalAnswer) => void;
  readonly onShowAll: () => void;
  readonly editor: EditorBelow;
  readonly timing: Timing;
  readonly requestRender: () => void;
}

interface Choice {
  readonly key: string;
  readonly label: string;
  readonly answer: ApprovalAnswer | "toggle-folder";
}

/** `AnswerKeys` decides which keys answer. */
export class ApprovalQuestion implements FrontQuestion {
  readonly #options: ApprovalQuestionOptions;
  readonly input: AnswerInput;
  #isShownWhole = false;
  #isPrinted = false;
  #isCutHere = false;
  #kept: RenderedApproval | undefined;
  #laidOut: { readonly width: number; readonly rows: readonly string[] } | undefined;
  #isForFolder = false;

  constructor(options: ApprovalQuestionOptions) {
    this.#options = options;
    const { timing, editor, requestRender, onAnswer } = options;
    this.input = new AnswerInput({ timing, editor, requestRender, onDeny: () => onAnswer({ decision: "deny" }) });
  }

  invalidate(): void {
    this.#laidOut = undefined;
  }

  takeKey(key: KeyPress): boolean {
    if (matchesKey(key.data, "ctrl+o")) {
      this.input.disturb();
      this.#isShownWhole = true;
      this.#options.onShowAll();
      return true;
    }
    const offered = this.#offered();
    const target = this.input.take(
      key,
      offered.map((choice) => choice.key),
    );
    if (target.kind !== "answer") return target.kind === "question";
    const answer = offered.find((choice) => choice.key === target.key)?.answer;
    if (answer === "toggle-folder") {
      this.#isForFolder = !this.#isForFolder;
      this.input.reopen();
      if (!target.isTyped) this.input.focus();
    } else if (answer !== undefined) this.#options.onAnswer(answer);
    return true;
  }

  render(width: number): string[] {
    const { style } = this.#options;
    const { tool, folder, reason } = this.#rendered;
    const head =
      folder === undefined
        ? `${clippedLine(tool, { maxCharacters: maxLine })} needs approval to run`
        : `This conversation was imported; its tools request access to the folder ${clippedLine(folder, { maxCharacters: maxLine })}`;
    this.isCut(width);
    const foot = [
      ...(reason === undefined ? [] : [clippedLine(reason, { maxCharacters: maxLine })]),
      ...this.#choiceLines(this.input.draw()),
    ].flatMap((line) => hanging(line, { first: "  ", rest: "    ", width }));
    const rows = this.#bodyRows(width);
    const room = this.#roomAbove(foot.length);
    // A single row more takes as much room as the notice.
    const left = rows.length - room;
    const shown = left > 1 ? [...rows.slice(0, room), style.muted(`… ${left} more rows: Ctrl-O shows all`)] : rows;
    return [
      ...wrapTextWithAnsi(style.warning(style.strong(head)), width),
      ...shown.map((line) => `${style.warning("│")} ${line}`),
      ...foot,
    ];
  }

  get offeredKeys(): readonly string[] {
    return this.#offered().map(({ key }) => key);
  }

  isCut(width: number): boolean {
    const { tool, folder = "", reason = "" } = this.#rendered;
    this.#isCutHere = false; // Measured with all possible choices.
    const foot = [...(reason === "" ? [] : [reason]), ...this.#choiceLines({ kind: "ready" })];
    const footRows = foot.flatMap((line) => hanging(line, { first: "  ", rest: "    ", width })).length;
    this.#isCutHere =
      [tool, folder, reason].some((line) => line.length > maxLine) ||
      this.#bodyRows(width).length > this.#roomAbove(footRows) + 1;
    return this.#isCutHere;
  }

  whole(): readonly string[] {
    this.#isPrinted = true;
    const { heading, reason } = this.#rendered;
    const covers = this.#scopes().map((scope, index) => `${index + 1} ${harmless(scope.covers)}`);
    return [
      heading,
      ...(reason === undefined ? [] : [reason]),
      ...this.#body(),
      ...(covers.length === 0 ? [] : [this.#alwaysHead(), ...covers]),
    ];
  }

  get #rendered(): RenderedApproval {
    return (this.#kept ??= renderApproval(this.#options.approval));
  }

  #roomAbove(footRows: number): number {
    return Math.max(3, this.#options.maxRows() - footRows - 2);
  }

  #bodyRows(width: number): readonly string[] {
    if (this.#laidOut?.width !== width) this.#laidOut = { width, rows: bodyRows(this.#body(), width) };
    return this.#laidOut.rows;
  }

  #body(): readonly string[] {
    const { style } = this.#options;
    const rendered = this.#rendered;
    const { preview } = rendered;
    const lines = approvalLines({ ...rendered, preview: undefined }, { isTerse: true }).map((line) =>
      harmless(line),
    );
    if (preview === undefined) return lines;
    const text = harmless(preview.text);
    return [...lines, ...(preview.kind === "diff" ? diffLines(text, style) : text.split("\n"))];
  }

  #choiceLines(state: AnswerState): readonly string[] {
    const { style } = this.#options;
    if (state.kind === "settling") return [style.muted(settlingLine)];
    const offered = this.#offered();
    const chosen = state.kind === "focused" ? offered[state.index ?? -1]?.key : undefined;
    const lineOf = (choice: Choice): string => choiceText(choice, { chosen, style });
    const choices = this.#choices().map(lineOf);
    const scopes = this.#scopeChoices().map(lineOf);
    const unread = this.#scopes().some((scope) => !this.#isRead(scope));
    return [
      ...this.#unreadLines(),
      ...(state.kind === "focused" ? choices : [choices.join(style.muted("  ·  "))]),
      ...(scopes.length === 0
        ? []
        : [style.muted(this.#alwaysHead()), ...scopes, ...this.#folderChoices().map(lineOf)]),
      ...(unread && this.#canAllow ? [style.muted("Ctrl-O shows more scopes of always")] : []),
      answerHint(state, { style, labelOf: (key) => offered.find((choice) => choice.key === key)?.label ?? "" }),
    ];
  }

  #offered(): readonly Choice[] {
    return [...this.#choices(), ...this.#scopeChoices(), ...this.#folderChoices()];
  }

  get #folder(): string | undefined {
    return this.#scopes().length === 0 ? undefined : this.#rendered.forFolder;
  }

  #alwaysHead(): string {
    if (!this.#isForFolder || this.#folder === undefined) return "always, in this conversation:";
    return `always, in each conversation in ${clippedLine(this.#folder, { maxCharacters: maxLine })}, for as long as you trust it:`;
  }

  #folderChoices(): readonly Choice[] {
    if (this.#folder === undefined) return [];
    const label = this.#isForFolder ? "only in this conversation" : "in later conversations in this folder, too";
    return [{ key: "f", label, answer: "toggle-folder" }];
  }

  #choices(): readonly Choice[] {
    const isFolder = this.#rendered.folder !== undefined;
    const allow = {
      key: "y",
      label: isFolder ? "yes, in this folder" : "yes, this call",
      answer: { decision: "allow" },
    } as const;
    return [...(this.#canAllow ? [allow] : []), { key: "n", label: "no", answer: { decision: "deny" } }];
  }

  /** A clipped call cannot be allowed. */
  get #canAllow(): boolean {
    return this.#rendered.isWhole && (this.#isPrinted || !this.#isCutHere);
  }

  #unreadLines(): readonly string[] {
    const { style } = this.#options;
    if (!this.#rendered.isWhole) return [style.muted("Part of the call is missing: you can only deny it")];
    return this.#canAllow ? [] : [style.muted("Ctrl-O shows all; then you can allow it")];
  }

  #scopes(): RenderedApproval["scopes"] {
    return this.#rendered.scopes.slice(0, 9);
  }

  #scopeChoices(): readonly Choice[] {
    return this.#scopes().flatMap((scope, index) => {
      if (!this.#isRead(scope)) return [];
      const label = scope.covers.length > maxCovers ? `${scope.label}, as shown above` : scope.covers;
      const forFolder = this.#isForFolder ? ({ forFolder: true } as const) : {};
      const answer = { decision: "allow-always", scope: scope.id, ...forFolder } as const;
      return [{ key: String(index + 1), label: clippedLine(label, { maxCharacters: maxCovers }), answer }];
    });
  }

  /** A clipped scope cannot be allowed permanently. */
  #isRead({ covers }: RenderedApproval["scopes"][number]): boolean {
    return this.#canAllow && (this.#isShownWhole || covers.length <= maxCovers);
  }
}

/** Wrapped rows are indented, so that they do not look like separate lines. */
function bodyRows(lines: readonly string[], width: number): readonly string[] {
  return lines.flatMap((line) => hanging(line, { first: "", rest: "    ", width: width - 2 }));
}
