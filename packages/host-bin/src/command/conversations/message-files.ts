import type { MessageFile } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";
import type { Arguments } from "../arguments/arguments.ts";
import type { Output } from "../output/output.ts";

export async function messageFiles(
  client: Client,
  { isJson }: Arguments,
  { id, output }: { readonly id: string; readonly output: Output },
): Promise<number> {
  const answer = await client.call(routes.listMessageFiles, { params: { id } });
  if (isJson) output.outLine(JSON.stringify(answer));
  else if (answer.files.length === 0) output.outLine("No message since the last compaction has a file");
  else for (const file of answer.files) output.outLine(fileLine(file));
  return 0;
}

export async function removeMessageFile(
  client: Client,
  { isJson }: Arguments,
  { id, fileId, output }: { readonly id: string; readonly fileId: string; readonly output: Output },
): Promise<number> {
  const answer = await client.call(routes.removeMessageFile, { params: { id, fileId } });
  if (isJson) output.outLine(JSON.stringify(answer));
  else output.outLine(`Removed ${fileId}: the next message is sent without it`);
  return 0;
}

function fileLine({ id, filename, mediaType, sizeBytes, removedAt }: MessageFile): string {
  const removed = removedAt === undefined ? "" : `, removed ${removedAt}`;
  return `${id}  ${filename ?? "(no name)"}, ${mediaType}, ${sizeBytes} bytes${removed}`;
}
