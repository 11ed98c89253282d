import { valueProblem, type AnswerValue, type QuestionField } from "@incipit/schema";

export type FieldAnswer =
  | { readonly kind: "value"; readonly value: AnswerValue }
  | { readonly kind: "left-out" }
  | { readonly kind: "problem"; readonly message: string };

/** Omits a value which has a default. */
export const leaveOut = "-";

/** Parses the input for a field; empty input selects the default, or omits the value. */
export function fieldAnswer(field: QuestionField, text: string): FieldAnswer {
  const said = text.trim();
  if (said === "" && field.default !== undefined) return { kind: "value", value: field.default };
  if (said === "" || (said === leaveOut && field.default !== undefined && !field.isRequired))
    return field.isRequired ? { kind: "problem", message: "is required" } : { kind: "left-out" };
  const value = valueOf(field, said);
  const problem = value === undefined ? "must be one of the choices" : valueProblem(field, value);
  return value === undefined || problem !== undefined
    ? { kind: "problem", message: problem ?? "" }
    : { kind: "value", value };
}

const words: ReadonlyMap<string, boolean> = new Map([
  ["y", true],
  ["yes", true],
  ["true", true],
  ["n", false],
  ["no", false],
  ["false", false],
]);

function valueOf(field: QuestionField, said: string): AnswerValue | undefined {
  switch (field.kind) {
    case "text":
      return said;
    case "number":
      return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(said) ? Number(said) : said;
    case "boolean":
      return words.get(said.toLowerCase()) ?? said;
    case "choice":
      return chosen(field, said);
    case "choices": {
      const each = said.split(/[\s,]+/).map((word) => chosen(field, word));
      const whole = chosen(field, said);
      const known = each.filter((value) => value !== undefined);
      return whole !== undefined ? [whole] : known.length === each.length ? known : undefined;
    }
  }
}

function chosen(
  { options }: Extract<QuestionField, { kind: "choice" | "choices" }>,
  said: string,
): string | undefined {
  const byNumber = /^\d{1,3}$/.test(said) ? options[Number(said) - 1] : undefined;
  return (byNumber ?? options.find(({ value, title }) => title === said || value === said))?.value;
}
