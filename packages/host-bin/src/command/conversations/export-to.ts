import { wholeExport, writeExport } from "./export-file.ts";
import { resolve } from "node:path";
import { selectedConversation } from "../arguments/named-conversation.ts";
import type { ConversationCall } from "../arguments/conversation-call.ts";
import { exportedTo } from "./exported-to.ts";
import { forEach } from "./for-each.ts";

export async function exportTo({
  words,
  args,
  output,
  host,
}: ConversationCall<(string | undefined)[], "isGranted">): Promise<number> {
  const client = await host.client();
  const { ids, path: pattern } = await exportedTo(words.filter((word) => word !== undefined));
  return forEach(ids, output, async (name) => {
    const id = await selectedConversation(client, name, args);
    if (pattern === "-") {
      for await (const bytes of wholeExport(client, id)) await output.outWhenTaken(bytes);
      return 0;
    }
    const path = resolve(pattern.replace("ID", id));
    const sizeBytes = await writeExport(client, { id, file: path, isReplaced: args.isGranted });
    output.outLine(args.isJson ? JSON.stringify({ path, sizeBytes }) : `Wrote ${sizeBytes} bytes to ${path}`);
    return 0;
  });
}
