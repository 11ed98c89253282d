import { suggestion } from "@incipit/common/suggestion";
import { answerValueSchema, type AnswerContent, type Question } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import * as z from "zod";
import { UsageError } from "../registry/usage-error.ts";
import { checkBeginning } from "../arguments/check-beginning.ts";
import { askAtTerminal } from "../questions/ask-at-terminal.ts";
import { askValues, type ElicitationAnswer } from "../approval/ask-values.ts";
import { questionText, quotedName } from "@incipit/cli-text/questions";
import { interruptible } from "../terminal/interruption.ts";
import { isAtTerminal } from "../terminal/terminal-input.ts";
import {
  calledConversation,
  type ConversationCall,
  type CalledConversation,
} from "../arguments/conversation-call.ts";

const actions = ["accept", "decline", "cancel"] as const;
const contentSchema = z.record(z.string(), answerValueSchema);

/** Prints the questions without a terminal. */
export async function answer(call: ConversationCall<[question?: string]>): Promise<number> {
  const running = await calledConversation(call);
  const { id, args, output } = running;
  const questions = await openQuestions(running);
  const [, word] = call.words;
  if (word === undefined && (questions.length === 0 || args.isJson || !isAtTerminal())) {
    const [, second] = questions;
    for (const question of questions) {
      const named = second === undefined ? id : `${id} ${question.questionId}`;
      if (args.isJson) output.outLine(JSON.stringify(question));
      else output.out(questionText(question, { width: output.width }));
      if (!args.isJson) output.errLine(`Answer it at a terminal: incipit answer ${named}`);
    }
    if (questions.length === 0 && !args.isJson) output.errLine(`No open question in ${id}`);
    return 0;
  }
  if (word !== undefined && questions.every(({ questionId }) => !questionId.startsWith(word)))
    throw new UsageError(
      `"${word}" is neither an answer nor an open question${suggestion(word, actions)}; write accept JSON, decline or cancel`,
    );
  const question = chosen(questions, word, id);
  let said: ElicitationAnswer | undefined;
  await interruptible(async (signal, stop) => {
    said = await askValues(question, { askPerson: askAtTerminal, output, stop, signal });
  });
  if (said === undefined || said.action === "cancel") {
    output.errLine("Nothing was answered; the question is still open");
    return 1;
  }
  await put(running, question, said);
  return 0;
}

export async function acceptQuestion(call: ConversationCall<[json: string, question?: string]>): Promise<void> {
  const running = await calledConversation(call);
  const [, json, named] = call.words;
  const question = chosen(await openQuestions(running), named, running.id);
  await put(running, question, { action: "accept", content: contentOf(json) });
}

export async function refuseQuestion(
  call: ConversationCall<[action: "decline" | "cancel", question?: string]>,
): Promise<void> {
  const running = await calledConversation(call);
  const [, action, named] = call.words;
  await put(running, chosen(await openQuestions(running), named, running.id), { action });
}

async function openQuestions({ client, id }: CalledConversation): Promise<readonly Question[]> {
  return (await client.call(routes.getConversation, { params: { id } })).conversation.questions;
}

function contentOf(json: string): AnswerContent {
  try {
    return contentSchema.parse(JSON.parse(json));
  } catch {
    throw new UsageError(
      "The values are not a JSON object of strings, numbers, booleans and lists of strings, keyed by field name",
    );
  }
}

async function put(
  { client, id, args, output }: CalledConversation,
  { questionId, from }: Question,
  said: ElicitationAnswer,
): Promise<void> {
  const body = said.action === "accept" ? { action: said.action, content: { ...said.content } } : said;
  const answered = await client.call(routes.answerQuestion, { params: { id, questionId }, body });
  if (args.isJson) output.outLine(JSON.stringify(answered));
  else
    output.outLine(
      `${{ accept: "Answered", decline: "Declined", cancel: "Cancelled" }[said.action]} ${quotedName(from)}`,
    );
}

/** Returns the question to answer; `named` is required when several are open. */
function chosen(questions: readonly Question[], named: string | undefined, conversation: string): Question {
  if (named !== undefined)
    checkBeginning(named, {
      names: "the id of an open question",
      toSee: `incipit answer ${conversation}`,
    });
  const [first, second] = questions;
  if (first === undefined) throw new UsageError("The conversation has no open question");
  if (named === undefined && second === undefined) return first;
  const found = questions.filter(({ questionId }) => named !== undefined && questionId.startsWith(named));
  const [one, other] = found;
  if (one !== undefined && other === undefined) return one;
  const waiting = questions.map(({ questionId, from }) => `\n  ${questionId}  ${quotedName(from)}`).join("");
  throw new UsageError(`Name one of the open questions:${waiting}`);
}
