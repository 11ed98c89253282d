import { routes } from "@incipit/transport-contract";
import { calledConversation, type ConversationCall } from "../arguments/conversation-call.ts";

export async function stop(call: ConversationCall): Promise<void> {
  const { client, id, args, output } = await calledConversation(call);
  const answer = await client.call(routes.stopConversation, { params: { id } });
  if (args.isJson) output.outLine(JSON.stringify(answer));
  else output.outLine(answer.stopped ? `Stopped ${id}` : `Nothing runs in ${id}`);
}
