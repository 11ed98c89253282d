import { clippedLine } from "@incipit/schema/text";
import { routes, type Client } from "@incipit/transport-contract";
import { calledConversation, type ConversationCall } from "../arguments/conversation-call.ts";
import { leftOutToolText, type ToldInstructions } from "@incipit/schema";
import { printExplain } from "../explain/explain-rows.ts";
import { stepsOf } from "../record/find-step.ts";
import { instructionDeliveryText } from "../record/record-text.ts";

export async function explainKept(call: ConversationCall): Promise<void> {
  const {
    client,
    id,
    args: { isJson },
    output,
  } = await calledConversation(call);
  const { outLine, errLine } = output;
  const params = { id };
  const { explain, leftOutTools } = await client.call(routes.explainConversation, { params });
  if (isJson) outLine(JSON.stringify(explain));
  else if (explain === null)
    errLine("It has no prompt yet: its first turn constructs one (incipit prompt explain)");
  else {
    const { systemPrompt } = await client.call(routes.getConversationSystemPrompt, { params });
    printExplain(explain, systemPrompt ?? "", output);
    const told = await lastTold(client, id);
    if (told !== null) outLine(`The agent was told it ${instructionDeliveryText(told)}`);
    for (const tool of leftOutTools) outLine(clippedLine(leftOutToolText(tool), { maxCharacters: 300 }));
  }
}

async function lastTold(client: Client, id: string): Promise<ToldInstructions | null> {
  let told: ToldInstructions | null = null;
  for await (const { instructions } of stepsOf(client, id)) told = instructions ?? told;
  return told;
}
