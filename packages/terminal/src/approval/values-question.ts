import type { QuestionAnswer } from "@incipit/client/session";
import { Input, matchesKey, truncateToWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { answerText, fieldAnswer, fieldPrompt, fieldText, questionText } from "@incipit/cli-text/questions";
import type { AnswerContent, AnswerValue, Question, QuestionField } from "@incipit/schema";
import type { Style } from "../style/style.ts";
import { harmless } from "../transcript/block.ts";
import { answerHint, settlingLine } from "./answer-hint.ts";
import { AnswerInput } from "./answer-input.ts";
import type { AnswerState, KeyPress } from "./answer-keys.ts";
import type { EditorBelow, FrontQuestion } from "./front-question.ts";
import type { Timing } from "./quiet-timer.ts";

export interface ValuesQuestionOptions {
  readonly question: Question;
  readonly style: Style;
  readonly onAnswer: (answer: QuestionAnswer) => void;
  readonly editor: EditorBelow;
  readonly timing: Timing;
  readonly requestRender: () => void;
}

const endings = [
  { key: "y", label: "send it" },
  { key: "n", label: "decline" },
] as const;

/** A field receives keys only after Shift-Tab. */
export class ValuesQuestion implements FrontQuestion {
  readonly #options: ValuesQuestionOptions;
  readonly #answering: AnswerInput;
  readonly #values: [string, AnswerValue][] = [];
  #input = new Input({ prompt: "" });
  #index = 0;
  #problem: string | undefined;

  constructor(options: ValuesQuestionOptions) {
    this.#options = options;
    const { timing, editor, requestRender, onAnswer } = options;
    const onDeny = (): void => onAnswer({ action: "decline" });
    this.#answering = new AnswerInput({ timing, editor, requestRender, onDeny });
  }

  invalidate(): void {}

  get state(): AnswerState {
    return this.#answering.state;
  }

  disturb(): void {
    this.#answering.disturb();
  }

  reopen(): void {
    this.#answering.reopen();
  }

  close(): void {
    this.#answering.close();
  }

  takeKey(key: KeyPress): boolean {
    const field = this.#field;
    if (field !== undefined && this.state.kind === "focused") {
      this.#fill(field, key.data);
      return true;
    }
    const offered = field === undefined ? endings.map((ending) => ending.key) : [];
    const target = this.#answering.take(key, offered);
    if (target.kind !== "answer") return target.kind === "question";
    const { onAnswer } = this.#options;
    onAnswer(target.key === "y" ? { action: "accept", content: this.#content } : { action: "decline" });
    return true;
  }

  render(width: number): string[] {
    const { question, style } = this.#options;
    const [head = "", ...rest] = questionText(question, { width }).trimEnd().split("\n");
    const rows = [style.warning(style.strong(head)), ...rest, ...this.#askedRows(width)];
    return rows.flatMap((row) => wrapTextWithAnsi(row, width)).map((row) => truncateToWidth(row, width, "…"));
  }

  get #field(): QuestionField | undefined {
    return this.#options.question.fields[this.#index];
  }

  get #content(): AnswerContent {
    return Object.fromEntries(this.#values);
  }

  #askedRows(width: number): readonly string[] {
    const { question, style } = this.#options;
    const state = this.#answering.draw();
    if (state.kind === "settling") return [style.muted(settlingLine)];
    const field = this.#field;
    if (field === undefined) {
      const chosen = state.kind === "focused" ? endings[state.index ?? -1]?.key : undefined;
      const choices = endings.map(({ key, label }) =>
        key === chosen ? style.accent(`> ${key} ${label}`) : `${style.strong(key)} ${label}`,
      );
      return [
        ...answerText(question, this.#content, { width }).trimEnd().split("\n"),
        choices.join(style.muted("  ·  ")),
        answerHint(state, { style, labelOf: (key) => endings.find((ending) => ending.key === key)?.label ?? "" }),
      ];
    }
    const count = question.fields.length;
    const about = fieldText(field, { place: this.#index + 1, count, width })
      .trimEnd()
      .split("\n");
    const label = fieldPrompt(field);
    const isHere = state.kind === "focused";
    this.#input.focused = isHere;
    const [line = ""] = isHere ? this.#input.render(Math.max(4, width - label.length)) : [this.#input.getValue()];
    const problem = this.#problem === undefined ? [] : [style.bad(`That ${harmless(this.#problem)}`)];
    return [...about, ...problem, `${label}${line}`, style.muted(fieldHint(state))];
  }

  #fill(field: QuestionField, data: string): void {
    if (matchesKey(data, "escape") || matchesKey(data, "shift+tab")) return this.#answering.disturb();
    this.#problem = undefined;
    if (matchesKey(data, "enter")) this.#take(field);
    else this.#input.handleInput(data);
  }

  #take(field: QuestionField): void {
    const answer = fieldAnswer(field, this.#input.getValue());
    if (answer.kind === "problem") this.#problem = answer.message;
    else {
      if (answer.kind === "value") this.#values.push([field.name, answer.value]);
      this.#index += 1;
    }
    this.#input = new Input({ prompt: "" });
    this.#options.requestRender();
  }
}

function fieldHint({ kind }: AnswerState): string {
  switch (kind) {
    case "focused":
      return "Enter continues · Esc returns to the editor";
    case "writing":
      return "Keys go to the editor · Shift-Tab answers";
    case "answered":
      return "Sending your answer …";
    default:
      return "Shift-Tab answers · Esc declines";
  }
}
