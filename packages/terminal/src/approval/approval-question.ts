import type { Approval, ApprovalScope } from "@incipit/schema";
import { matchesKey, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { clippedLine } from "@incipit/host/text";
import type { ApprovalAnswer } from "../session/approval-answer.ts";
import type { Style } from "../style/style.ts";
import { hanging, harmless } from "../transcript/block.ts";
import { AnswerInput } from "./answer-input.ts";
import type { AnswerState, KeyPress } from "./answer-keys.ts";
import type { EditorBelow, FrontQuestion } from "./front-question.ts";
import { answerHint, settlingLine } from "./answer-hint.ts";
import type { Timing } from "./quiet-timer.ts";
import { diffLines, isUnifiedDiff } from "../transcript/diff-lines.ts";

/** Rows for the head and the choices, as a rule. */
const rowsAroundBody = 5;
/** Longer ones are read before they are answered: Ctrl-O shows them. In UTF-16 units. */
const maxCovers = 240;

export interface ApprovalQuestionOptions {
  readonly approval: Approval;
  readonly style: Style;
  /** Rows that it may have. */
  readonly maxRows: () => number;
  readonly onAnswer: (answer: ApprovalAnswer) => void;
  /** Shows all of the call, and of what answers cover, where it has no room here. */
  readonly onShowAll: () => void;
  readonly editor: EditorBelow;
  readonly timing: Timing;
  readonly requestRender: () => void;
}

interface Choice {
  readonly key: string;
  readonly label: string;
  /** `toggle-folder`: no answer yet, but where "always" holds. */
  readonly answer: ApprovalAnswer | "toggle-folder";
}

/** Asks whether a tool call may run. `AnswerKeys` has the rule for which keys answer. */
export class ApprovalQuestion implements FrontQuestion {
  readonly #options: ApprovalQuestionOptions;
  readonly #input: AnswerInput;
  #isShownWhole = false;
  /** Whether what is chosen for good holds in the folder, and not in this conversation alone. */
  #isForFolder = false;

  constructor(options: ApprovalQuestionOptions) {
    this.#options = options;
    const { timing, editor, requestRender, onAnswer } = options;
    this.#input = new AnswerInput({ timing, editor, requestRender, onDeny: () => onAnswer({ decision: "deny" }) });
  }

  invalidate(): void {}

  get state(): AnswerState {
    return this.#input.state;
  }

  disturb(): void {
    this.#input.disturb();
  }

  reopen(): void {
    this.#input.reopen();
  }

  close(): void {
    this.#input.close();
  }

  takeKey(key: KeyPress): boolean {
    if (matchesKey(key.data, "ctrl+o")) {
      this.#input.disturb();
      this.#isShownWhole = true;
      this.#options.onShowAll();
      return true;
    }
    const offered = this.#offered();
    const target = this.#input.take(
      key,
      offered.map((choice) => choice.key),
    );
    if (target.kind !== "answer") return target.kind === "question";
    const answer = offered.find((choice) => choice.key === target.key)?.answer;
    if (answer === "toggle-folder") {
      this.#isForFolder = !this.#isForFolder;
      this.#input.reopen();
      if (!target.isTyped) this.#input.focus();
    } else if (answer !== undefined) this.#options.onAnswer(answer);
    return true;
  }

  render(width: number): string[] {
    const { approval, style, maxRows } = this.#options;
    const tool = clippedLine(approval.name, { maxCharacters: 64 });
    const head =
      approval.folder === undefined
        ? `${tool} asks to run`
        : `This conversation was imported; its tools ask for the folder ${clippedLine(approval.folder, { maxCharacters: 400 })}`;
    const body = this.#body();
    const foot = [
      ...(approval.why === undefined ? [] : [clippedLine(approval.why, { maxCharacters: 400 })]),
      ...this.#choiceLines(this.#input.draw()),
    ].flatMap((line) => hanging(line, { first: "  ", rest: "    ", width }));
    const rows = bodyRows(body, width);
    const room = Math.max(3, maxRows() - foot.length - 2);
    // One row more takes no more room than the words that would stand for it.
    const left = rows.length - room;
    const shown =
      left > 1 ? [...rows.slice(0, room), style.muted(`… ${left} more rows: Ctrl-O shows all of it`)] : rows;
    return [
      ...wrapTextWithAnsi(style.warning(style.strong(head)), width),
      ...shown.map((line) => `${style.warning("│")} ${line}`),
      ...foot,
    ];
  }

  /** Whether there is more of the call than there is room for. */
  isCut(width: number): boolean {
    return bodyRows(this.#body(), width).length > Math.max(3, this.#options.maxRows() - rowsAroundBody);
  }

  /** The whole call, without a limit. */
  whole(): readonly string[] {
    const covers = this.#scopes().map((scope, index) => `${index + 1} ${harmless(scope.covers)}`);
    return [...this.#body(), ...(covers.length === 0 ? [] : [this.#alwaysHead(), ...covers])];
  }

  #body(): readonly string[] {
    const { approval, style } = this.#options;
    const { input, preview } = approval;
    if (preview !== undefined && isUnifiedDiff(preview)) return diffLines(harmless(preview.trimEnd()), style);
    const given = argumentLines(input, preview).map((line) => harmless(line));
    return preview === undefined ? given : [...given, ...harmless(preview).split("\n")];
  }

  #choiceLines(state: AnswerState): readonly string[] {
    const { style } = this.#options;
    if (state.kind === "settling") return [style.muted(settlingLine)];
    const offered = this.#offered();
    const chosen = state.kind === "focused" ? offered[state.index ?? -1]?.key : undefined;
    const lineOf = ({ key, label }: Choice): string =>
      key === chosen ? style.accent(`> ${key} ${label}`) : `${style.strong(key)} ${label}`;
    const choices = this.#choices().map(lineOf);
    const scopes = this.#scopeChoices().map(lineOf);
    const unread = this.#scopes().some((scope) => !this.#isRead(scope));
    return [
      ...(state.kind === "focused" ? choices : [choices.join(style.muted("  ·  "))]),
      ...(scopes.length === 0
        ? []
        : [style.muted(this.#alwaysHead()), ...scopes, ...this.#folderChoices().map(lineOf)]),
      ...(unread ? [style.muted("Ctrl-O shows what else you can allow always")] : []),
      answerHint(state, { style, labelOf: (key) => offered.find((choice) => choice.key === key)?.label ?? "" }),
    ];
  }

  /** All that can be chosen, in the order in which it is shown. */
  #offered(): readonly Choice[] {
    return [...this.#choices(), ...this.#scopeChoices(), ...this.#folderChoices()];
  }

  /** Where "always" may hold beyond this conversation. */
  get #folder(): string | undefined {
    return this.#scopes().length === 0 ? undefined : this.#options.approval.forFolder;
  }

  #alwaysHead(): string {
    if (!this.#isForFolder || this.#folder === undefined) return "always, in this conversation:";
    return `always, in each conversation in ${clippedLine(this.#folder, { maxCharacters: 400 })}, for as long as you trust it:`;
  }

  #folderChoices(): readonly Choice[] {
    if (this.#folder === undefined) return [];
    const label = this.#isForFolder ? "in this conversation alone" : "in later conversations in this folder, too";
    return [{ key: "f", label, answer: "toggle-folder" }];
  }

  #choices(): readonly Choice[] {
    const isFolder = this.#options.approval.folder !== undefined;
    return [
      { key: "y", label: isFolder ? "yes, in this folder" : "yes, this call", answer: { decision: "allow" } },
      { key: "n", label: "no", answer: { decision: "deny" } },
    ];
  }

  /** What else an answer may cover, narrowest first. Each has a digit of its own. */
  #scopes(): readonly ApprovalScope[] {
    return (this.#options.approval.scopes ?? []).slice(0, 9);
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

  /** Nobody allows for good what they could not read. */
  #isRead({ covers }: ApprovalScope): boolean {
    return this.#isShownWhole || covers.length <= maxCovers;
  }
}

/** The rest of a long line is set in, so that it does not look like a line of its own. */
function bodyRows(lines: readonly string[], width: number): readonly string[] {
  return lines.flatMap((line) => hanging(line, { first: "", rest: "    ", width: width - 2 }));
}

/** Each argument with its name; a text as it is. A command that its preview shows word by word is left to that. */
function argumentLines(input: string, preview: string | undefined): readonly string[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(input);
  } catch {
    return input.split("\n");
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return [JSON.stringify(parsed)];
  return Object.entries(parsed).flatMap(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
    if (name === "command" && preview !== undefined && isShownBelowHead(text, preview)) return [];
    const lines = text.split("\n");
    return lines.length === 1 ? [`${name}: ${text}`] : [`${name}:`, ...lines.map((line) => `  ${line}`)];
  });
}

/** Whether nothing but a break in place of a space sets a text apart from the rows below a preview's first one. */
function isShownBelowHead(text: string, preview: string): boolean {
  const head = preview.indexOf("\n");
  if (head < 0) return false;
  const body = preview.slice(head + 1);
  const [begin, end] = [body.slice(0, text.length), body.slice(text.length)];
  if (end !== "" && !end.startsWith("\n")) return false;
  return begin === text || (!text.includes("\n") && begin.replaceAll("\n", " ") === text);
}
