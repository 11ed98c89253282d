import { isShortEnd, turnEndText } from "../output/turn-end-text.ts";
import type { Conversation, CreateTurnRequest, ReasoningEffort, TurnBody } from "@incipit/schema";
import { ApiClientError, routes, type Client } from "@incipit/transport-contract";
import { ApprovalQuestions } from "../approval/approval-questions.ts";
import type { TalkArguments } from "./talk-arguments.ts";
import type { AskPerson } from "../questions/ask-at-terminal.ts";
import type { Output } from "../output/output.ts";
import type { AnswerFile } from "./answer-file.ts";
import { jsonOf } from "./answer-schema.ts";
import { modelAdvice } from "../output/model-advice.ts";
import { showEvent } from "../output/show-event.ts";
import { withTrustedText } from "../trust/with-trusted-text.ts";
import { TaskLines } from "./task-lines.ts";
import { grantWarnings } from "./grant-warnings.ts";
import { turnBody } from "./turn-body.ts";
import { lastConversation, resolveConversationId } from "../arguments/named-conversation.ts";
import { TurnStop } from "./turn-stop.ts";
import { TurnOutcome } from "./turn-outcome.ts";
import { workingFolder } from "../arguments/working-folder.ts";

export async function openConversation(client: Client, args: TalkArguments, output: Output): Promise<string> {
  for (const warning of grantWarnings(args.allow)) output.errLine(warning);
  const known = await knownConversation(client, args);
  if (known !== undefined) {
    const { conversation } = await client.call(routes.getConversation, { params: { id: known } });
    if (args.cwd !== undefined) await moveTo(workingFolder(args), { client, conversation, output });
    if (args.model !== undefined) await changeModel(args.model, { client, conversation, output });
    if (args.effort !== undefined) await changeEffort(args.effort, { client, conversation });
    const { queue } = await client.call(routes.getQueue, { params: { id: conversation.id } });
    if (queue.length > 0) {
      const waiting = queue.length === 1 ? "1 message waits" : `${queue.length} messages wait`;
      output.errLine(`${waiting} here from before, and will be answered before yours`);
    } else if (conversation.status === "idle") await warnInterruptedTurn(client, conversation, output);
    return conversation.id;
  }
  const body = { cwd: workingFolder(args), model: args.model, profile: args.profile };
  const { conversation } = await client.call(routes.createConversation, { body });
  if (args.effort !== undefined) await changeEffort(args.effort, { client, conversation });
  return conversation.id;
}

async function knownConversation(client: Client, args: TalkArguments): Promise<string | undefined> {
  if (args.conversation !== undefined) return resolveConversationId(client, args.conversation);
  return args.isContinued ? lastConversation(client, workingFolder(args)) : undefined;
}

async function moveTo(
  cwd: string,
  {
    client,
    conversation: { id, cwd: before },
    output,
  }: { readonly client: Client; readonly conversation: Conversation; readonly output: Output },
): Promise<void> {
  if (cwd === before) return;
  await client.call(routes.updateConversation, { params: { id }, body: { cwd } });
  output.errLine(
    `It works in ${cwd} from here on, no longer in ${before}. Its prompt stays as it was until the next`,
  );
  output.errLine(`compaction; this builds it now: incipit conversations rebuild ${id}`);
}

async function changeModel(
  model: string,
  {
    client,
    conversation: { id, model: before, lastSeq },
    output,
  }: { readonly client: Client; readonly conversation: Conversation; readonly output: Output },
): Promise<void> {
  if (model === before) return;
  await client.call(routes.updateConversation, { params: { id }, body: { model } });
  const price = lastSeq === 0 ? "" : ": it reads all that was said anew, as no cache of its own has that yet";
  output.errLine(`${model} answers from here on, no longer ${before}${price}`);
}

async function changeEffort(
  reasoningEffort: ReasoningEffort,
  { client, conversation: { id, settings } }: { readonly client: Client; readonly conversation: Conversation },
): Promise<void> {
  if (settings?.reasoningEffort === reasoningEffort) return;
  const body = { settings: { ...settings, reasoningEffort } };
  await client.call(routes.updateConversation, { params: { id }, body });
}

/** The user may not know that the host ended during the last turn. */
async function warnInterruptedTurn(client: Client, { id, lastSeq }: Conversation, output: Output): Promise<void> {
  if (lastSeq === 0) return;
  for await (const event of client.followEvents(id, { afterSeq: lastSeq - 1 })) {
    if (event.type === "turn-end" && event.status === "interrupted")
      output.errLine(
        `The last turn was cut off when the host ended. What is kept: incipit conversations history ${id}`,
      );
    return;
  }
}

export interface AskOptions {
  readonly client: Client;
  readonly dataFolder: string;
  readonly conversationId: string;
  readonly args: TalkArguments;
  readonly output: Output;
  /** `undefined`: no user is present, and the answer is no. */
  readonly askPerson: AskPerson | undefined;
  readonly stop: () => void;
  readonly signal: AbortSignal;
  readonly answerFile?: AnswerFile | undefined;
  /** Only the answer is printed to standard output then. */
  readonly schema?: TurnBody["schema"];
}

/** When the prompt would contain untrusted text and a user is present, requests trust and sends again after a yes. */
export async function ask(input: CreateTurnRequest["input"], options: AskOptions): Promise<number> {
  return withTrustedText(() => send(input, options), { ...options, undone: "Nothing was sent" });
}

async function send(input: CreateTurnRequest["input"], options: AskOptions): Promise<number> {
  const { client, conversationId: id, args, output, signal, schema } = options;
  const request = turnBody(input, args, schema);
  using stop = new TurnStop({ client, conversationId: id, output });
  signal.addEventListener("abort", stop.ask);
  const questions = new ApprovalQuestions({ ...options, conversationId: id });
  const tasks = new TaskLines({ client, conversationId: id, output });
  const outcome = new TurnOutcome();
  let isLate = false;
  const stopLate = (): void => {
    isLate = true;
    stop.ask();
  };
  const timer = args.timeoutMs === undefined ? undefined : setTimeout(stopLate, args.timeoutMs);
  try {
    const sending = { idempotencyKey: crypto.randomUUID(), signal: stop.signal };
    for await (const event of client.sendTurn(id, request, sending)) {
      outcome.take(event);
      if (event.type === "turn-start" && (signal.aborted || isLate)) stop.ask();
      if (args.isForScreenReader && event.type === "text-start") output.errLine("Answer:");
      if (args.isJson) output.outLine(JSON.stringify(event));
      else {
        const isSaid = event.type === "text-delta" || event.type === "text-end";
        if (isSaid ? schema === undefined : !args.isQuiet) showEvent(event, output);
        if (!args.isQuiet) tasks.take(event);
      }
      questions.take(event);
    }
  } catch (error) {
    if (stop.signal.aborted) return notStopped(outcome, { isLate, output });
    if (request.command !== undefined && error instanceof ApiClientError && error.code === "COMMAND_UNKNOWN") {
      const { code, message, status, details } = error;
      const told = `${message}; to send the text as it is, put a space in front of it`;
      throw new ApiClientError(code, told, { status, details });
    }
    // Until the first event, delivery of the message is uncertain.
    const isAcknowledged = outcome.last !== undefined;
    if (!isAcknowledged || !(error instanceof ApiClientError) || error.code !== "UNREACHABLE") throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop.ask);
    await Promise.race([questions.close().then(() => tasks.close()), stop.hasGivenUp]);
  }
  if (outcome.end === undefined) {
    if (stop.signal.aborted) return notStopped(outcome, { isLate, output });
    if (outcome.last?.type === "text-delta" && !args.isJson) output.out("\n");
    output.errLine("The host went away before the turn had ended; what it had said is kept");
    return outcome.exitCode({ isLate });
  }
  const { status, error } = outcome.end;
  if (status === "completed") {
    const answer = schema === undefined ? outcome.text : jsonOf(outcome.text, schema);
    if (schema !== undefined && !args.isJson) output.outExact(`${answer}\n`);
    await options.answerFile?.write(answer);
  }
  if (status === "cancelled") {
    if (isLate) output.errLine(`Stopped: it had not ended within ${(args.timeoutMs ?? 0) / 1_000} s (--timeout)`);
    else if (!args.isQuiet)
      output.errLine("Stopped: nothing more is asked of the model, and what was said is kept");
  }
  const { maxSteps } = args;
  if (maxSteps !== undefined && outcome.isAtMaxSteps(maxSteps))
    output.errLine(
      `The turn failed: it reached --max-steps (${maxSteps} model ${maxSteps === 1 ? "call" : "calls"}) before it was finished`,
    );
  else if (status !== "cancelled" && isShortEnd(outcome.end)) output.errLine(turnEndText(outcome.end));
  const advice = error === undefined ? undefined : modelAdvice(error, args.model ?? (await modelOf(client, id)));
  if (advice !== undefined) output.errLine(advice);
  return outcome.exitCode({ isLate });
}

function notStopped(
  outcome: TurnOutcome,
  { isLate, output }: { readonly isLate: boolean; readonly output: Output },
): number {
  output.errLine(
    "The host did not say that it has stopped the turn; it may still work on it. incipit doctor says how it is",
  );
  return outcome.exitCode({ isLate, isStopped: true });
}

async function modelOf(client: Client, id: string): Promise<string | undefined> {
  const found = await client.call(routes.getConversation, { params: { id } }).catch(() => undefined);
  return found?.conversation.model;
}
