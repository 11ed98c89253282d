import { routes, type Client } from "@incipit/transport-contract";
import type { Arguments } from "../arguments/arguments.ts";
import { explainText } from "../explain/explain-text.ts";
import type { Output } from "../output/output.ts";

/** Where each part of the prompt that a conversation is sent came from. */
export async function explainKept(
  client: Client,
  { isJson }: Arguments,
  { id, output: { out, outLine, errLine } }: { readonly id: string; readonly output: Output },
): Promise<number> {
  const params = { id };
  const { explain } = await client.call(routes.explainConversation, { params });
  if (isJson) outLine(JSON.stringify(explain));
  else if (explain === null)
    errLine("It has no prompt yet: its first turn constructs one (incipit prompt explain)");
  else {
    const { systemPrompt } = await client.call(routes.getConversationSystemPrompt, { params });
    out(explainText(explain, systemPrompt ?? ""));
  }
  return 0;
}
