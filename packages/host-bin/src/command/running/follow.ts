import { isShortEnd, turnEndText } from "../output/turn-end-text.ts";
import type { TurnEvent } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";
import { ApprovalQuestions } from "../approval/approval-questions.ts";
import type { Output } from "../output/output.ts";
import { showEvent } from "../output/show-event.ts";
import { askAtTerminal } from "../questions/ask-at-terminal.ts";
import { interruptible } from "../terminal/interruption.ts";
import { isAtTerminal } from "../terminal/terminal-input.ts";
import { calledConversation, type ConversationCall } from "../arguments/conversation-call.ts";

/** Events to search back for the start of the running turn. */
const maxBack = 2_000;

/** Prints the events of a conversation. Ctrl-C leaves without stopping anything. */
export async function follow(call: ConversationCall): Promise<void> {
  if ((await call.host.connect()).isInside)
    throw new Error('No host is running, so there is nothing to follow; start one with "incipit serve"');
  const { client, id, args, output } = await calledConversation(call);
  const { lastSeq, status } = (await client.call(routes.getConversation, { params: { id } })).conversation;
  output.errLine(`Following ${id}; Ctrl-C exits and stops nothing`);
  await interruptible(async (signal, stop) => {
    const askPerson = isAtTerminal() ? askAtTerminal : undefined;
    const common = { client, conversationId: id, output, stop, signal };
    const questions = askPerson === undefined ? undefined : new ApprovalQuestions({ ...common, askPerson });
    try {
      for await (const event of eventsOf(client, { id, lastSeq, isRunning: status === "running", signal })) {
        if (args.isJson) {
          output.outLine(JSON.stringify(event));
          continue;
        }
        show(event, { id, canAsk: questions !== undefined, output });
        questions?.take(event);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      await questions?.close();
    }
  });
}

interface EventsOptions {
  readonly id: string;
  readonly lastSeq: number;
  readonly isRunning: boolean;
  readonly signal: AbortSignal;
}

async function* eventsOf(
  client: Client,
  { id, lastSeq, isRunning, signal }: EventsOptions,
): AsyncGenerator<TurnEvent> {
  const afterSeq = isRunning ? Math.max(0, lastSeq - maxBack) : lastSeq;
  let before: TurnEvent[] | undefined = isRunning ? [] : undefined;
  for await (const event of client.followEvents(id, { afterSeq, signal })) {
    if (before === undefined) {
      yield event;
      continue;
    }
    if (event.type === "turn-start") before = [];
    before.push(event);
    if (event.seq < lastSeq) continue;
    yield* before;
    before = undefined;
  }
}

function show(
  event: TurnEvent,
  { id, canAsk, output }: { readonly id: string; readonly canAsk: boolean; readonly output: Output },
): void {
  if (event.type === "turn-start") output.errLine(`> ${event.input}`);
  if (event.type === "approval-request" && !canAsk) output.errLine(`Waits for an answer: incipit approve ${id}`);
  if (event.type === "question-request" && !canAsk) output.errLine(`Waits for an answer: incipit answer ${id}`);
  if (event.type === "turn-end" && isShortEnd(event)) output.errLine(turnEndText(event));
  showEvent(event, output);
}
