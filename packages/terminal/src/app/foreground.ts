import type { ApprovalAnswer, QuestionAnswer } from "@incipit/client/session";
import type { Approval, Question } from "@incipit/schema";
import { ApprovalQuestion } from "../approval/approval-question.ts";
import type { KeyPress } from "../approval/answer-keys.ts";
import type { EditorBelow, FrontQuestion } from "../approval/front-question.ts";
import { LateKeys } from "../approval/late-keys.ts";
import type { Timing } from "../approval/quiet-timer.ts";
import { ValuesQuestion } from "../approval/values-question.ts";
import type { CommandContext } from "../commands/command.ts";
import { Picker } from "../pickers/picker.ts";
import type { Style } from "../style/style.ts";

export interface ForegroundOptions {
  readonly style: Style;
  readonly width: () => number;
  readonly maxRows: () => number;
  readonly requestRender: () => void;
  readonly onChange: () => void;
  readonly onAnswer: (approvalId: string, answer: ApprovalAnswer) => void;
  readonly onValues: (questionId: string, answer: QuestionAnswer) => void;
  readonly onShowAll: (lines: readonly string[]) => void;
  readonly editor: EditorBelow;
  readonly timing: Timing;
  /** The key is still in the editor. */
  readonly onLateAnswer: (key: string) => void;
}

export class Foreground {
  readonly #options: ForegroundOptions;
  #question: { readonly id: string; readonly component: FrontQuestion } | undefined;
  readonly #late: LateKeys;
  #picker: Picker | undefined;

  constructor(options: ForegroundOptions) {
    this.#options = options;
    this.#late = new LateKeys(options.timing, options.onLateAnswer);
  }

  get question(): FrontQuestion | undefined {
    return this.#question?.component;
  }

  get picker(): Picker | undefined {
    return this.#picker;
  }

  ask(approval: Approval | undefined, question: Question | undefined): void {
    const id = approval?.approvalId ?? question?.questionId;
    if (id === this.#question?.id) return;
    const before = this.#question?.component;
    if (before !== undefined) this.#late.begin(before.input.state);
    before?.input.close();
    this.#question = undefined;
    if (approval !== undefined)
      this.#question = { id: approval.approvalId, component: this.#questionAbout(approval) };
    else if (question !== undefined)
      this.#question = { id: question.questionId, component: this.#questionFor(question) };
    this.#options.onChange();
  }

  takeKey(key: KeyPress): boolean {
    if (this.#late.take(key, this.#options.editor.content())) {
      this.question?.input.disturb();
      return true;
    }
    return this.question?.takeKey(key) ?? false;
  }

  readonly choose: CommandContext["choose"] = (title, choices, options = {}) => {
    const { style, maxRows, requestRender, onChange, timing, editor } = this.#options;
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    this.#picker = new Picker({
      ...options,
      title,
      choices,
      style,
      maxRows,
      requestRender,
      timing,
      typeBelow: editor.type,
      onEnd: (value) => {
        this.#picker = undefined;
        onChange();
        resolve(value);
      },
    });
    onChange();
    return promise;
  };

  /** Keys typed while the terminal was away may have been meant for something else. */
  disturb(): void {
    this.question?.input.disturb();
    this.#picker?.disturb();
  }

  close(): void {
    this.#question?.component.input.close();
    this.#picker?.close();
  }

  #questionAbout(approval: Approval): ApprovalQuestion {
    const { style, width, maxRows, requestRender, onAnswer, onShowAll, editor, timing } = this.#options;
    const question: ApprovalQuestion = new ApprovalQuestion({
      approval,
      style,
      maxRows,
      requestRender,
      onAnswer: (answer) => onAnswer(approval.approvalId, answer),
      onShowAll: () => onShowAll(question.whole()),
      editor,
      timing,
    });
    // The user must see the whole call before allowing it.
    if (question.isCut(width())) onShowAll(question.whole());
    return question;
  }

  #questionFor(question: Question): FrontQuestion {
    const { style, requestRender, onValues, editor, timing } = this.#options;
    const onAnswer = (answer: QuestionAnswer): void => onValues(question.questionId, answer);
    return new ValuesQuestion({ question, style, requestRender, onAnswer, editor, timing });
  }
}
