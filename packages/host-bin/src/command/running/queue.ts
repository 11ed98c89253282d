import { clippedLine } from "@incipit/schema/text";
import type { QueuedTurn } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import {
  calledConversation,
  type ConversationCall,
  type CalledConversation,
} from "../arguments/conversation-call.ts";

const maxInput = 100;

export async function listQueue(call: ConversationCall): Promise<void> {
  const running = await calledConversation(call);
  listed((await running.client.call(routes.getQueue, { params: { id: running.id } })).queue, running);
}

export async function resumeQueue(call: ConversationCall): Promise<void> {
  const { client, id, args, output } = await calledConversation(call);
  const answer = await client.call(routes.resumeConversation, { params: { id } });
  output.outLine(args.isJson ? JSON.stringify(answer) : `Resumed ${answer.resumed} queued messages`);
}

export async function removeFromQueue(call: ConversationCall<[turnId: string]>): Promise<void> {
  const running = await calledConversation(call);
  const [, turnId] = call.words;
  const { queue } = await running.client.call(routes.removeQueuedTurn, { params: { id: running.id, turnId } });
  listed(queue, running);
}

function listed(waiting: readonly QueuedTurn[], { id, args, output }: CalledConversation): void {
  for (const turn of waiting)
    if (args.isJson) output.outLine(JSON.stringify(turn));
    else
      output.outRow(
        `${String(turn.position).padStart(3)}  ${turn.turnId}  ${clippedLine(turn.input, { maxCharacters: maxInput })}`,
      );
  if (waiting.length === 0 && !args.isJson) output.errLine(`No message is queued in ${id}`);
}
