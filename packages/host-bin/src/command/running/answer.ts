import { suggestion } from "@incipit/common/suggestion";
import { answerValueSchema, type AnswerContent, type Question } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import * as z from "zod";
import { UsageError } from "../arguments/arguments.ts";
import { checkBeginning } from "../arguments/check-beginning.ts";
import { askAtTerminal } from "../questions/ask-at-terminal.ts";
import { askValues, type ElicitationAnswer } from "../approval/ask-values.ts";
import { questionText, quotedName } from "@incipit/cli-text/questions";
import { interruptible } from "../terminal/interruption.ts";
import { isAtTerminal } from "../terminal/terminal-input.ts";
import type { RunningOptions } from "./running.ts";

const actions = ["accept", "decline", "cancel"] as const;
const contentSchema = z.record(z.string(), answerValueSchema);

/** Prints the questions without a terminal. */
export async function answer(options: RunningOptions): Promise<number> {
  const { client, id, words, args, output } = options;
  const { questions } = (await client.call(routes.getConversation, { params: { id } })).conversation;
  const [word, ...rest] = words;
  const action = actions.find((known) => known === word);
  if (action !== undefined) return send(options, questions, { action, rest });
  if (word === undefined && (questions.length === 0 || args.isJson || !isAtTerminal())) {
    const [, second] = questions;
    for (const question of questions) {
      const named = second === undefined ? id : `${id} ${question.questionId}`;
      if (args.isJson) output.outLine(JSON.stringify(question));
      else output.out(questionText(question, { width: output.width }));
      if (!args.isJson) output.errLine(`Answer it at a terminal: incipit answer ${named}`);
    }
    if (questions.length === 0 && !args.isJson) output.errLine(`No question waits for an answer in ${id}`);
    return 0;
  }
  if (rest.length > 0 || (word !== undefined && questions.every(({ questionId }) => !questionId.startsWith(word))))
    throw new UsageError(
      `There is no answer, and no question, "${word ?? ""}"${suggestion(word ?? "", [...actions])}; write accept JSON, decline or cancel`,
    );
  const question = chosen(questions, word, id);
  let said: ElicitationAnswer | undefined;
  await interruptible(async (signal, stop) => {
    said = await askValues(question, { askPerson: askAtTerminal, output, stop, signal });
  });
  if (said === undefined || said.action === "cancel") {
    output.errLine("Nothing was answered: the question still waits");
    return 1;
  }
  return put(options, question, said);
}

async function send(
  options: RunningOptions,
  questions: readonly Question[],
  { action, rest }: { readonly action: (typeof actions)[number]; readonly rest: readonly string[] },
): Promise<number> {
  if (action !== "accept") {
    const [named, stray] = rest;
    if (stray !== undefined) throw new UsageError(`"answer … ${action}" takes no "${stray}"`);
    return put(options, chosen(questions, named, options.id), { action });
  }
  const [json, named] = rest;
  if (json === undefined)
    throw new UsageError('"answer … accept" needs the values as JSON, such as \'{"city": "Porto"}\'');
  return put(options, chosen(questions, named, options.id), { action, content: contentOf(json) });
}

function contentOf(json: string): AnswerContent {
  try {
    return contentSchema.parse(JSON.parse(json));
  } catch {
    throw new UsageError(
      "The values are no JSON object of texts, numbers, true or false, and lists of texts, by the names of the fields",
    );
  }
}

async function put(
  { client, id, args, output }: RunningOptions,
  { questionId, from }: Question,
  said: ElicitationAnswer,
): Promise<number> {
  const body = said.action === "accept" ? { action: said.action, content: { ...said.content } } : said;
  const answered = await client.call(routes.answerQuestion, { params: { id, questionId }, body });
  if (args.isJson) output.outLine(JSON.stringify(answered));
  else
    output.outLine(
      `${{ accept: "Answered", decline: "Declined", cancel: "Cancelled" }[said.action]} ${quotedName(from)}`,
    );
  return 0;
}

/** `named` is required when several are open. */
function chosen(questions: readonly Question[], named: string | undefined, conversation: string): Question {
  if (named !== undefined)
    checkBeginning(named, {
      names: "the id of a question that waits",
      toSee: `incipit answer ${conversation}`,
    });
  const [first, second] = questions;
  if (first === undefined) throw new UsageError("No question waits for an answer there");
  if (named === undefined && second === undefined) return first;
  const found = questions.filter(({ questionId }) => named !== undefined && questionId.startsWith(named));
  const [one, other] = found;
  if (one !== undefined && other === undefined) return one;
  const waiting = questions.map(({ questionId, from }) => `\n  ${questionId}  ${quotedName(from)}`).join("");
  throw new UsageError(`Name one of the questions that wait:${waiting}`);
}
