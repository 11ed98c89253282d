import { Input, matchesKey, truncateToWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { answerText, fieldAnswer, fieldPrompt, fieldText, questionText } from "@incipit/host/questions";
import type { AnswerContent, AnswerValue, Question, QuestionField } from "@incipit/schema";
import type { ValuesAnswer } from "../session/values-answer.ts";
import type { Style } from "../style/style.ts";
import { harmless } from "../transcript/block.ts";
import type { FrontQuestion } from "./front-question.ts";
import { SettledKeys } from "./settled-keys.ts";

export interface ValuesQuestionOptions {
  readonly question: Question;
  readonly style: Style;
  readonly onAnswer: (answer: ValuesAnswer) => void;
  /** Takes keys that are no answer. */
  readonly onOtherKey: (data: string) => void;
  readonly requestRender: () => void;
}

/**
 * Asks for what a tool wants to know, one field after the other, and shows all of it before it is sent. It takes answers once
 * nobody has typed for a moment.
 */
export class ValuesQuestion implements FrontQuestion {
  readonly #options: ValuesQuestionOptions;
  readonly #keys: SettledKeys;
  readonly #values: [string, AnswerValue][] = [];
  #input = new Input({ prompt: "" });
  #index = 0;
  /** What does not fit of the line that was entered. */
  #problem: string | undefined;

  constructor(options: ValuesQuestionOptions) {
    this.#options = options;
    this.#keys = new SettledKeys(options.requestRender);
  }

  invalidate(): void {}

  close(): void {
    this.#keys.close();
  }

  handleInput(data: string): void {
    const { onAnswer, onOtherKey } = this.#options;
    if (!this.#keys.isReady) {
      this.#keys.typed();
      return onOtherKey(data);
    }
    if (matchesKey(data, "escape")) return onAnswer({ action: "decline" });
    const field = this.#field;
    if (field === undefined) return this.#confirm(data);
    this.#problem = undefined;
    if (matchesKey(data, "enter")) this.#take(field);
    else this.#input.handleInput(data);
  }

  render(width: number): string[] {
    const { question, style } = this.#options;
    const [head = "", ...rest] = questionText(question, { width }).trimEnd().split("\n");
    const rows = [style.warning(style.strong(head)), ...rest, ...this.#askedRows(width)];
    return rows.flatMap((row) => wrapTextWithAnsi(row, width)).map((row) => truncateToWidth(row, width, "…"));
  }

  /** `undefined`: all of them are filled in. */
  get #field(): QuestionField | undefined {
    return this.#options.question.fields[this.#index];
  }

  get #content(): AnswerContent {
    return Object.fromEntries(this.#values);
  }

  #askedRows(width: number): readonly string[] {
    const { question, style } = this.#options;
    if (!this.#keys.isReady) return [style.muted("Your answer counts once you stop typing …")];
    const field = this.#field;
    if (field === undefined)
      return [
        ...answerText(question, this.#content, { width }).trimEnd().split("\n"),
        `${style.strong("y")} send it  ·  ${style.strong("n")} decline`,
      ];
    const count = question.fields.length;
    const about = fieldText(field, { place: this.#index + 1, count, width })
      .trimEnd()
      .split("\n");
    const label = fieldPrompt(field);
    const [line = ""] = this.#input.render(Math.max(4, width - label.length));
    const problem = this.#problem === undefined ? [] : [style.bad(`That ${harmless(this.#problem)}`)];
    return [...about, ...problem, `${label}${line}`, style.muted("Enter goes on  ·  Esc declines")];
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

  #confirm(data: string): void {
    const { onAnswer, onOtherKey } = this.#options;
    if (data === "y") onAnswer({ action: "accept", content: this.#content });
    else if (data === "n") onAnswer({ action: "decline" });
    else onOtherKey(data);
  }
}
