import type { AnswerValue, QuestionField } from "@incipit/schema";
import { expect, test } from "bun:test";
import { fieldAnswer, type FieldAnswer } from "./field-answer.ts";

const options = [
  { value: "m", title: "Metres" },
  { value: "ft", title: "Feet" },
  { value: "10", title: "Ten by ten" },
];
const optional = { name: "x", isRequired: false };
const text: QuestionField = { kind: "text", ...optional };
const count: QuestionField = { kind: "number", ...optional, isInteger: true, minimum: 0 };
const choice: QuestionField = { kind: "choice", ...optional, options };
const choices: QuestionField = { kind: "choices", ...optional, options, maxItems: 2 };
const yes: QuestionField = { kind: "boolean", ...optional };

const value = (given: AnswerValue): FieldAnswer => ({ kind: "value", value: given });
const leftOut: FieldAnswer = { kind: "left-out" };
const problem = (message: string): FieldAnswer => ({ kind: "problem", message });

const answers: readonly (readonly [field: QuestionField, typed: string, answer: FieldAnswer])[] = [
  [text, "  São Paulo ", value("São Paulo")],
  [text, "", leftOut],
  [text, "-", value("-")],
  [{ ...text, default: "Porto" }, "", value("Porto")],
  [{ ...text, default: "Porto" }, "-", leftOut],
  [{ ...text, isRequired: true }, " ", problem("is required")],
  [{ ...text, isRequired: true, default: "Porto" }, "-", value("-")],
  [{ ...text, format: "date" }, "2026-02-30", problem("must be a day, such as 2026-11-27")],
  [count, "12", value(12)],
  [count, "1.5", problem("must be a whole number")],
  [count, "0x10", problem("must be a number")],
  [count, "-1", problem("must be at least 0")],
  [yes, "Y", value(true)],
  [yes, "maybe", problem("must be true or false")],
  [choice, "2", value("ft")],
  [choice, "Metres", value("m")],
  [choice, "10", value("10")], // Not the tenth choice: the value of the third.
  [choice, "4", problem("must be one of the choices")],
  [choices, "1, 2", value(["m", "ft"])],
  [choices, "Ten by ten", value(["10"])],
  [choices, "1 1", problem("may have each choice once")],
  [choices, "1 2 3", problem("may have at most 2 choices")],
  [choices, "1 9", problem("must be one of the choices")],
];
for (const [field, typed, answer] of answers)
  test(`fieldAnswer parses ${JSON.stringify(typed)} for ${JSON.stringify(field)}`, () => {
    expect(fieldAnswer(field, typed)).toEqual(answer);
  });
