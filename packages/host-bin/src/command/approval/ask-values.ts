import type { AnswerContent, AnswerValue, Question } from "@incipit/schema";
import type { Output } from "../output/output.ts";
import type { AnswerEnd } from "../terminal/answer-line.ts";
import type { AskOptions } from "../terminal/terminal-input.ts";
import type { AskPerson } from "../questions/ask-at-terminal.ts";
import { answerText, fieldAnswer, fieldPrompt, fieldText, questionText } from "@incipit/cli-text/questions";

export type ElicitationAnswer =
  | { readonly action: "accept"; readonly content: AnswerContent }
  | { readonly action: "decline" | "cancel" };

export interface AskValuesOptions {
  readonly askPerson: AskPerson;
  readonly output: Output;
  readonly stop: () => void;
  readonly signal: AbortSignal;
}

class AnswerCancelled extends Error {}

/**
 * Text typed before a question is shown does not answer it. Resolves with `undefined` when answered elsewhere or ended.
 */
export async function askValues(
  question: Pick<Question, "asker" | "message" | "fields">,
  options: AskValuesOptions,
): Promise<ElicitationAnswer | undefined> {
  const { output, signal } = options;
  const width = output.errWidth;
  try {
    output.err(questionText(question, { width }));
    const isBegun = await yesNo("Answer it? y: yes. n: decline. [y/n] ", options, { comesByItself: true });
    if (!isBegun) return { action: "decline" };
    const content = await valuesOf(question, options);
    if (question.fields.length === 0) return { action: "accept", content };
    output.err(answerText(question, content, { width }));
    const isSent = await yesNo("Send it? y: yes. n: decline. [y/n] ", options);
    return isSent ? { action: "accept", content } : { action: "decline" };
  } catch (error) {
    if (error instanceof AnswerCancelled) return { action: "cancel" };
    if (signal.aborted) return undefined;
    throw error;
  }
}

async function valuesOf({ fields }: Pick<Question, "fields">, options: AskValuesOptions): Promise<AnswerContent> {
  const { output } = options;
  const values: [string, AnswerValue][] = [];
  for (const [index, field] of fields.entries()) {
    output.err(fieldText(field, { place: index + 1, count: fields.length, width: output.errWidth }));
    for (;;) {
      const answer = fieldAnswer(field, await line(fieldPrompt(field), options));
      if (answer.kind === "value") values.push([field.name, answer.value]);
      if (answer.kind !== "problem") break;
      output.errLine(`That ${answer.message}`);
    }
  }
  return Object.fromEntries(values);
}

/** Asks for a yes or no; Enter alone is neither. */
async function yesNo(
  question: string,
  options: AskValuesOptions,
  { comesByItself = false }: { readonly comesByItself?: boolean } = {},
): Promise<boolean> {
  for (let isFirst = true; ; isFirst = false) {
    // An invalid answer may be the start of a message that the user was typing.
    const asked = { comesByItself: comesByItself || !isFirst, takesText: false };
    const word = (await line(question, options, asked)).trim().toLowerCase();
    if (word === "y" || word === "yes") return true;
    if (word === "n" || word === "no") return false;
  }
}

/** @throws {AnswerCancelled} on Ctrl-C or end of input. Also rejects once the signal aborts. */
async function line(
  question: string,
  { askPerson, output, stop, signal }: AskValuesOptions,
  how: Pick<AskOptions, "comesByItself" | "takesText"> = { takesText: true },
): Promise<string> {
  let said: AnswerEnd;
  {
    using _ = output.hold();
    said = await askPerson(question, { signal, ...how });
  }
  if (said.kind === "answer") return said.text;
  output.errLine(said.kind === "end" ? "Cancelled: the input has ended" : "Cancelled: the turn is stopped");
  if (said.kind === "interrupt") stop();
  throw new AnswerCancelled();
}
