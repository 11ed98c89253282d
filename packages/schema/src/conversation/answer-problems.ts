import type { AnswerContent, AnswerValue, QuestionField } from "./question-field.ts";

/** A validation error of one value. */
export interface AnswerProblem {
  readonly field: string;
  /** Reads as a continuation of the field's title. */
  readonly message: string;
}

/** Limit per value, in UTF-16 units. */
const maxTextLength = 65_536;

/** Validates an answer against its fields; an empty list means valid. */
export function answerProblems(fields: readonly QuestionField[], content: AnswerContent): readonly AnswerProblem[] {
  const known = new Set(fields.map(({ name }) => name));
  const unknown = Object.keys(content)
    .filter((name) => !known.has(name))
    .map((name) => ({ field: name, message: "is not a field of the question" }));
  const wrong = fields.flatMap((field) => {
    const value = Object.hasOwn(content, field.name) ? content[field.name] : undefined;
    const message = value === undefined ? missing(field) : valueProblem(field, value);
    return message === undefined ? [] : [{ field: field.name, message }];
  });
  return [...wrong, ...unknown];
}

function missing({ isRequired }: QuestionField): string | undefined {
  return isRequired ? "is required" : undefined;
}

/** Validates one value. Returns a message that continues the field's title, or `undefined` if valid. */
export function valueProblem(field: QuestionField, value: AnswerValue): string | undefined {
  switch (field.kind) {
    case "text":
      return typeof value === "string" ? textProblem(field, value) : "must be a string";
    case "number":
      return typeof value === "number" ? numberProblem(field, value) : "must be a number";
    case "boolean":
      return typeof value === "boolean" ? undefined : "must be true or false";
    case "choice":
      return typeof value === "string" && field.options.some((option) => option.value === value)
        ? undefined
        : "must be one of the choices";
    case "choices":
      return Array.isArray(value) ? choicesProblem(field, value) : "must be a list of choices";
  }
}

type FieldOf<Kind extends QuestionField["kind"]> = Extract<QuestionField, { kind: Kind }>;

function textProblem({ minLength = 0, maxLength, format }: FieldOf<"text">, text: string): string | undefined {
  if (text.length > maxTextLength) return `may have at most ${maxTextLength} characters`;
  const { length } = Array.from(text);
  if (length < minLength) return `needs at least ${plural(minLength, "character")}`;
  if (maxLength !== undefined && length > maxLength) return `may have at most ${plural(maxLength, "character")}`;
  return format === undefined || formats[format].fits(text) ? undefined : `must be ${formats[format].words}`;
}

const day = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
const time = String.raw`(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)`;
const dayPattern = new RegExp(`^${day}$`);
const momentPattern = new RegExp(`^${day}T${time}$`);

const formats = {
  email: {
    words: "an e-mail address, such as ada@acme.dev",
    fits: (text) => /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text),
  },
  uri: {
    words: "an address with its scheme, such as https://acme.dev",
    fits: (text) => !/\s/.test(text) && URL.canParse(text),
  },
  date: { words: "a day, such as 2026-11-27", fits: (text) => dayPattern.test(text) && isDay(text) },
  "date-time": {
    words: "a time with its zone, such as 2026-11-27T15:00:00Z",
    fits: (text) => momentPattern.test(text) && isDay(text.slice(0, 10)),
  },
} as const satisfies Record<
  NonNullable<FieldOf<"text">["format"]>,
  { readonly words: string; readonly fits: (text: string) => boolean }
>;

/** Rejects dates that `Date` would roll over, such as February 31. */
function isDay(text: string): boolean {
  const parsed = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(text);
}

function numberProblem({ isInteger, minimum, maximum }: FieldOf<"number">, value: number): string | undefined {
  if (!Number.isFinite(value)) return "must be a number";
  if (isInteger && !Number.isSafeInteger(value)) return "must be a whole number";
  if (minimum !== undefined && value < minimum) return `must be at least ${minimum}`;
  return maximum !== undefined && value > maximum ? `must be at most ${maximum}` : undefined;
}

function choicesProblem(
  { options, minItems = 0, maxItems }: FieldOf<"choices">,
  values: readonly string[],
): string | undefined {
  if (!values.every((value) => options.some((option) => option.value === value)))
    return "must be a list of choices";
  if (new Set(values).size < values.length) return "may have each choice once";
  if (values.length < minItems) return `needs at least ${plural(minItems, "choice")}`;
  return maxItems !== undefined && values.length > maxItems
    ? `may have at most ${plural(maxItems, "choice")}`
    : undefined;
}

function plural(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
