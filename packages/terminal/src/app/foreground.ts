import type { Component, Focusable } from "@earendil-works/pi-tui";
import type { Approval, Question } from "@incipit/schema";
import { ApprovalQuestion } from "../approval/approval-question.ts";
import type { FrontQuestion } from "../approval/front-question.ts";
import { ValuesQuestion } from "../approval/values-question.ts";
import type { ApprovalAnswer } from "../session/approval-answer.ts";
import type { ValuesAnswer } from "../session/values-answer.ts";
import type { CommandContext } from "../commands/command.ts";
import { Picker } from "../pickers/picker.ts";
import type { Style } from "../style/style.ts";

export interface ForegroundOptions {
  readonly style: Style;
  readonly width: () => number;
  /** Rows that a question or a list may have. */
  readonly maxRows: () => number;
  readonly requestRender: () => void;
  /** Something else is in front than before. */
  readonly onChange: () => void;
  readonly onAnswer: (approvalId: string, answer: ApprovalAnswer) => void;
  readonly onValues: (questionId: string, answer: ValuesAnswer) => void;
  /** Shows a text of any length. */
  readonly onShowAll: (lines: readonly string[]) => void;
  /** Takes keys that are no answer to a question. */
  readonly onOtherKey: (data: string) => void;
}

/** What stands in front of the editor for a while: a question about a call, or a list to choose from. */
export class Foreground {
  readonly #options: ForegroundOptions;
  #question: { readonly id: string; readonly component: FrontQuestion } | undefined;
  #picker: Picker | undefined;

  constructor(options: ForegroundOptions) {
    this.#options = options;
  }

  /** Stands above the editor, which stays; `undefined`: nothing is asked. */
  get question(): FrontQuestion | undefined {
    return this.#question?.component;
  }

  /** Stands in place of the editor. */
  get picker(): (Component & Focusable) | undefined {
    return this.#picker;
  }

  /** Asks about a call, or for what a tool wants to know, in place of what was asked before. */
  ask(approval: Approval | undefined, question: Question | undefined): void {
    const id = approval?.approvalId ?? question?.questionId;
    if (id === this.#question?.id) return;
    this.#question?.component.close();
    this.#question = undefined;
    if (approval !== undefined)
      this.#question = { id: approval.approvalId, component: this.#questionAbout(approval) };
    else if (question !== undefined)
      this.#question = { id: question.questionId, component: this.#questionFor(question) };
    this.#options.onChange();
  }

  /** Lets a person choose; resolves with `undefined` when they chose nothing. */
  readonly choose: CommandContext["choose"] = (title, choices, options = {}) => {
    const { style, maxRows, requestRender, onChange } = this.#options;
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    this.#picker = new Picker({
      ...options,
      title,
      choices,
      style,
      maxRows,
      requestRender,
      onEnd: (value) => {
        this.#picker = undefined;
        onChange();
        resolve(value);
      },
    });
    onChange();
    return promise;
  };

  close(): void {
    this.#question?.component.close();
  }

  #questionAbout(approval: Approval): ApprovalQuestion {
    const { style, width, maxRows, requestRender, onAnswer, onShowAll, onOtherKey } = this.#options;
    const question: ApprovalQuestion = new ApprovalQuestion({
      approval,
      style,
      maxRows,
      requestRender,
      onAnswer: (answer) => onAnswer(approval.approvalId, answer),
      onShowAll: () => onShowAll(question.whole()),
      onOtherKey,
    });
    // Nobody allows what they have not seen: all of it stands in the log above.
    if (question.isCut(width())) onShowAll(question.whole());
    return question;
  }

  #questionFor(question: Question): FrontQuestion {
    const { style, requestRender, onValues, onOtherKey } = this.#options;
    const onAnswer = (answer: ValuesAnswer): void => onValues(question.questionId, answer);
    return new ValuesQuestion({ question, style, requestRender, onAnswer, onOtherKey });
  }
}
