import { clippedLine } from "@incipit/schema/text";
import type { QueuedTurn } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { UsageError } from "../arguments/arguments.ts";
import type { RunningOptions } from "./running.ts";

const maxInput = 100;

export async function queue(options: RunningOptions): Promise<number> {
  const { client, id, words, args, output } = options;
  const [action, turnId, stray] = words;
  const params = { id };
  if (action === undefined) return listed((await client.call(routes.getQueue, { params })).queue, options);
  if (action === "resume" && turnId === undefined) {
    const answer = await client.call(routes.resumeConversation, { params });
    output.outLine(args.isJson ? JSON.stringify(answer) : `${answer.resumed} of them run from here on`);
    return 0;
  }
  if (action !== "remove" || turnId === undefined || stray !== undefined)
    throw new UsageError('"queue" takes "resume", or "remove" and the id of a turn: incipit queue ID remove TURN');
  const { queue: left } = await client.call(routes.removeQueuedTurn, { params: { id, turnId } });
  return listed(left, options);
}

function listed(waiting: readonly QueuedTurn[], { id, args, output }: RunningOptions): number {
  for (const turn of waiting)
    if (args.isJson) output.outLine(JSON.stringify(turn));
    else
      output.outRow(
        `${String(turn.position).padStart(3)}  ${turn.turnId}  ${clippedLine(turn.input, { maxCharacters: maxInput })}`,
      );
  if (waiting.length === 0 && !args.isJson) output.errLine(`Nothing waits in ${id}`);
  return 0;
}
