import type { MessageFile } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { calledConversation, type ConversationCall } from "../arguments/conversation-call.ts";

export async function messageFiles(call: ConversationCall): Promise<void> {
  const { client, id, args, output } = await calledConversation(call);
  const answer = await client.call(routes.listMessageFiles, { params: { id } });
  if (args.isJson) output.outLine(JSON.stringify(answer));
  else if (answer.files.length === 0) output.outLine("No message since the last compaction has a file");
  else for (const file of answer.files) output.outLine(fileLine(file));
}

export async function removeMessageFile(call: ConversationCall<[fileId: string]>): Promise<void> {
  const { client, id, args, output } = await calledConversation(call);
  const [, fileId] = call.words;
  const answer = await client.call(routes.removeMessageFile, { params: { id, fileId } });
  output.outLine(args.isJson ? JSON.stringify(answer) : `Removed ${fileId}: the next message is sent without it`);
}

function fileLine({ id, filename, mediaType, sizeBytes, removedAt }: MessageFile): string {
  const removed = removedAt === undefined ? "" : `, removed ${removedAt}`;
  return `${id}  ${filename ?? "(no name)"}, ${mediaType}, ${sizeBytes} bytes${removed}`;
}
