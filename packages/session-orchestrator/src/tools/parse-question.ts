import { escapeHidden, hasHidden, lazySchema, questionFieldSchema, type QuestionField } from "@incipit/schema";
import * as z from "zod";

const maxQuestionFields = 50;
const maxOptions = 200;
const maxMessageLength = 4_000;
const maxNameLength = 100;
const maxTitleLength = 200;
const maxDescriptionLength = 2_000;
const maxTextLength = 4_000;

export interface ParsedQuestion {
  readonly message: string;
  readonly fields: readonly QuestionField[];
}

/** Third-party tools may pass any value. */
const askedSchema = lazySchema(() =>
  z.object({
    message: z.string(),
    fields: z.array(questionFieldSchema).max(maxQuestionFields),
  }),
);

/**
 * Escapes hidden and control characters. Rejects them in field names and choice values, which the tool receives back
 * verbatim, and text too long to be shown completely.
 *
 * @throws {Error} with the reason.
 */
export function parseQuestion(given: unknown): ParsedQuestion {
  const { data, error } = askedSchema.safeParse(given);
  if (data === undefined) throw new Error(`The question cannot be asked: ${z.prettifyError(error)}`);
  const names = data.fields.map(({ name }) => name);
  for (const [index, name] of names.entries()) {
    if (!isPlain(name, maxNameLength) || name === "__proto__")
      throw new Error(
        `The question cannot be asked: the name of field ${index + 1} is empty, too long, or no text`,
      );
    if (names.indexOf(name) !== index)
      throw new Error(`The question cannot be asked: two fields are named ${JSON.stringify(name)}`);
  }
  return {
    message: shownWords(data.message, { maxLength: maxMessageLength, what: "its message" }),
    fields: data.fields.map(askedField),
  };
}

function askedField(given: QuestionField): QuestionField {
  const { title, description, looksSecret: _, ...field } = given;
  const wrong = (what: string): Error =>
    new Error(`The question cannot be asked: field ${JSON.stringify(given.name)} ${what}`);
  const of = (what: string): Bound => ({
    maxLength: maxTitleLength,
    what: `the ${what} of field ${JSON.stringify(given.name)}`,
  });
  const words = {
    ...(title === undefined ? {} : { title: shownLine(title, of("title")) }),
    ...(description === undefined
      ? {}
      : {
          description: shownWords(description, { maxLength: maxDescriptionLength, what: of("description").what }),
        }),
    ...(looksSecret(given) ? { looksSecret: true as const } : {}),
  };
  if (field.kind === "text") {
    if (field.default !== undefined && !isPlain(field.default, maxTextLength, { isEmptyFine: true }))
      throw wrong("has a default that is too long, or no text");
    return { ...field, ...words };
  }
  if (field.kind !== "choice" && field.kind !== "choices") return { ...field, ...words };
  const { options } = field;
  if (options.length === 0) throw wrong("has no choices");
  if (options.length > maxOptions) throw wrong(`has more than ${maxOptions} choices`);
  if (!options.every(({ value }) => isPlain(value, maxTextLength, { isEmptyFine: true })))
    throw wrong("has a choice that is too long, or no text");
  if (new Set(options.map(({ value }) => value)).size < options.length) throw wrong("has a choice twice");
  const shown = options.map((option) => ({
    value: option.value,
    title: shownLine(option.title, of("title of a choice")),
  }));
  return { ...field, options: shown, ...words };
}

const secretWords =
  /pass ?(?:word|phrase|code|wd)|passwd|secret|\btokens?\b|api ?key|access ?key|private ?key|credential|\bpin\b|\bcvv\b|\bcvc\b|\botp\b|seed phrase|card number|\bssn\b/i;

/** UI hint only, not a security boundary: whether a field seems to ask for a secret. */
function looksSecret({ kind, name, title = "", description = "" }: QuestionField): boolean {
  if (kind !== "text" && kind !== "number") return false;
  const spaced = name.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2").replaceAll(/[_\-.]+/g, " ");
  return [spaced, title, description].some((text) => secretWords.test(text));
}

function isPlain(
  text: string,
  maxLength: number,
  { isEmptyFine = false }: { readonly isEmptyFine?: boolean } = {},
): boolean {
  const isLong = text.length > maxLength || (text.length === 0 && !isEmptyFine);
  return !isLong && !hasHidden(text) && plainLines(text) === text.trim();
}

interface Bound {
  readonly maxLength: number;
  readonly what: string;
}

function shownWords(text: string, { maxLength, what }: Bound): string {
  if (text.length > maxLength)
    throw new Error(
      `The question cannot be asked: ${what} has more than ${maxLength} characters, and would not be shown whole`,
    );
  return escapeHidden(plainLines(text.toWellFormed()));
}

function shownLine(text: string, bound: Bound): string {
  return shownWords(text, bound).replaceAll(/\s+/g, " ");
}

function plainLines(text: string): string {
  return text
    .replaceAll(/\r\n?|[\v\f\u{85}\p{Zl}\p{Zp}]/gu, "\n")
    .replaceAll("\t", " ")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}
