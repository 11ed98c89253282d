import type { ConversationTask } from "@incipit/schema";
import { routes, type Client, pagesOf } from "@incipit/transport-contract";
import { calledConversation, type ConversationCall } from "../arguments/conversation-call.ts";
import { spentText } from "../output/spent-text.ts";
import { conversationLine } from "./conversation-line.ts";

const maxDepth = 100;

export async function tasks(call: ConversationCall): Promise<void> {
  const { client, id, args, output } = await calledConversation(call);
  let count = 0;
  for await (const { task, depth } of below(client, id, 0)) {
    count += 1;
    if (args.isJson) output.outLine(JSON.stringify({ depth, ...task }));
    else output.outRow(`${"  ".repeat(depth)}${conversationLine(task.conversation)}${sumsText(task)}`);
  }
  if (count === 0 && !args.isJson) output.errLine("It has given no task to another agent");
}

interface PlacedTask {
  readonly task: ConversationTask;
  readonly depth: number;
}

async function* below(client: Client, id: string, depth: number): AsyncGenerator<PlacedTask> {
  if (depth > maxDepth) return;
  for await (const { tasks } of pagesOf((cursor) =>
    client.call(routes.listTasks, { params: { id }, query: { cursor } }),
  ))
    for (const task of tasks) {
      yield { task, depth };
      yield* below(client, task.conversation.id, depth + 1);
    }
}

function sumsText({ spent, spentBelow }: ConversationTask): string {
  const isLeaf = spentBelow.tokens === 0 && spentBelow.unpriced === 0;
  return `  ${spentText(spent)}${isLeaf ? "" : `, and ${spentText(spentBelow)} below it`}`;
}
