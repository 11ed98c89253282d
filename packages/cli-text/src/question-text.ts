import {
  describeRequester,
  escapeHiddenLine,
  type AnswerContent,
  type AnswerValue,
  type Requester,
  type Question,
  type QuestionField,
} from "@incipit/schema";
import { clippedLine } from "@incipit/schema/text";
import { gutter } from "./gutter.ts";
import { leaveOut } from "./field-answer.ts";

const maxTitleLength = 200;

type AskedQuestion = Pick<Question, "asker" | "message" | "fields">;

export function questionText(
  { asker, message, fields }: AskedQuestion,
  { width }: { readonly width: number },
): string {
  const asked = fields.map((field) => `${field.isRequired ? "*" : " "} ${titleOf(field)}`).join("\n");
  const secret = fields.filter(({ looksSecret }) => looksSecret === true).map(titleOf);
  return [
    `${askerAtStart(asker)} asks you:`,
    ...gutter(message, { width }),
    ...(fields.length === 0 ? [] : ["Fields (* is required):", ...gutter(asked, { width })]),
    ...(secret.length === 0 ? [] : [`Careful: ${secret.map(quotedName).join(", ")} looks like a secret. ${never}`]),
    "",
  ].join("\n");
}

const never = "Servers should not ask for passwords or keys this way: decline unless you know why";

export function fieldText(
  field: QuestionField,
  { place, count, width }: { readonly place: number; readonly count: number; readonly width: number },
): string {
  const { description, looksSecret } = field;
  const options = "options" in field ? field.options : [];
  const choices = options.map(({ title }, index) => `${String(index + 1).padStart(3)}  ${title}`).join("\n");
  return [
    `${place} of ${count}: ${titleOf(field)}${hint(field)}`,
    ...(description === undefined ? [] : gutter(description, { width })),
    ...(choices === "" ? [] : gutter(choices, { width })),
    ...(looksSecret === true ? [`Careful: this looks like a secret. ${never}`] : []),
    "",
  ].join("\n");
}

function hint(field: QuestionField): string {
  const kind = {
    text: "format" in field && field.format !== undefined ? formats[field.format] : "",
    number: "isInteger" in field && field.isInteger ? "a whole number" : "a number",
    boolean: "y or n",
    choice: "one number",
    choices: "numbers, such as 1,3",
  }[field.kind];
  const left = field.isRequired ? "required" : field.default === undefined ? "Enter skips it" : "";
  const away = !field.isRequired && field.default !== undefined ? `${leaveOut} skips it` : "";
  const said = [kind, left, away].filter((word) => word !== "");
  return said.length === 0 ? "" : ` (${said.join("; ")})`;
}

const formats = {
  email: "an e-mail address",
  uri: "an address such as https://acme.dev",
  date: "a day such as 2026-11-27",
  "date-time": "a time such as 2026-11-27T15:00:00Z",
} as const;

export function fieldPrompt(field: QuestionField): string {
  const suggested =
    field.default === undefined
      ? ""
      : ` [${clippedLine(wholeValue(field, field.default), { maxCharacters: maxTitleLength })}]`;
  return `${titleOf(field)}${suggested}: `;
}

export function answerText(
  { asker, fields }: AskedQuestion,
  content: AnswerContent,
  { width }: { readonly width: number },
): string {
  const rows = fields.flatMap((field) => {
    const value = content[field.name];
    return value === undefined ? [] : [`${titleOf(field)}: ${escapeHiddenLine(wholeValue(field, value))}`];
  });
  const what = rows.length === 0 ? ["Only your confirmation"] : gutter(rows.join("\n"), { width });
  return [`${describeRequester(asker)} receives this and may pass it to the model:`, ...what, ""].join("\n");
}

function wholeValue(field: QuestionField, value: AnswerValue): string {
  if (typeof value === "boolean") return value ? "y" : "n";
  const options = "options" in field ? field.options : [];
  const one = (text: string): string => options.find((option) => option.value === text)?.title ?? text;
  return Array.isArray(value) ? value.map(one).join(", ") : one(String(value));
}

function titleOf({ name, title = name }: QuestionField): string {
  return clippedLine(title === "" ? name : title, { maxCharacters: maxTitleLength });
}

function askerAtStart(asker: Requester): string {
  const text = describeRequester(asker);
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

export function quotedName(text: string): string {
  return `"${clippedLine(text, { maxCharacters: maxTitleLength })}"`;
}
