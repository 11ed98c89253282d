import type { QuestionAnswer } from "@incipit/client/session";
import { Input, matchesKey, truncateToWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { answerText, fieldAnswer, fieldPrompt, fieldText, questionText } from "@incipit/cli-text/questions";
import type { AnswerContent, AnswerValue, Question, QuestionField } from "@incipit/schema";
import type { Style } from "../style/style.ts";
import { harmless } from "../transcript/block.ts";
import { answerHint, settlingLine } from "./answer-hint.ts";
import { AnswerInput } from "./answer-input.ts";
import type { AnswerState, KeyPress } from "./answer-keys.ts";
import { choiceText, type EditorBelow, type FrontQuestion } from "./front-question.ts";
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
  readonly input: AnswerInput;
  readonly #values: [string, AnswerValue][] = [];
  #line = new Input({ prompt: "" });
  #index = 0;
  #problem: string | undefined;

  constructor(options: ValuesQuestionOptions) {
    this.#options = options;
    const { timing, editor, requestRender, onAnswer } = options;
    const onDeny = (): void => onAnswer({ action: "decline" });
    this.input = new AnswerInput({ timing, editor, requestRender, onDeny });
  }

  invalidate(): void {}

  takeKey(key: KeyPress): boolean {
    const field = this.#field;
    if (field !== undefined && this.input.state.kind === "focused") {
      this.#fill(field, key.data);
      return true;
    }
    const offered = field === undefined ? endings.map((ending) => ending.key) : [];
    const target = this.input.take(key, offered);
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
    const state = this.input.draw();
    if (state.kind === "settling") return [style.muted(settlingLine)];
    const field = this.#field;
    if (field === undefined) {
      const chosen = state.kind === "focused" ? endings[state.index ?? -1]?.key : undefined;
      const choices = endings.map((ending) => choiceText(ending, { chosen, style }));
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
    this.#line.focused = isHere;
    const [line = ""] = isHere ? this.#line.render(Math.max(4, width - label.length)) : [this.#line.getValue()];
    const problem = this.#problem === undefined ? [] : [style.bad(`That ${harmless(this.#problem)}`)];
    return [...about, ...problem, `${label}${line}`, style.muted(fieldHint(state))];
  }

  #fill(field: QuestionField, data: string): void {
    if (matchesKey(data, "escape") || matchesKey(data, "shift+tab")) return this.input.disturb();
    this.#problem = undefined;
    if (matchesKey(data, "enter")) this.#take(field);
    else this.#line.handleInput(data);
  }

  #take(field: QuestionField): void {
    const answer = fieldAnswer(field, this.#line.getValue());
    if (answer.kind === "problem") this.#problem = answer.message;
    else {
      if (answer.kind === "value") this.#values.push([field.name, answer.value]);
      this.#index += 1;
    }
    this.#line = new Input({ prompt: "" });
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
