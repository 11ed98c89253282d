import { escapeHiddenLine } from "@incipit/schema/text";
import type { Conversation } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { selectedConversation } from "../arguments/named-conversation.ts";
import { minuteOf } from "../output/minute-of.ts";
import type { Output } from "../output/output.ts";
import { shortId } from "../output/short-id.ts";
import type { ConversationCall } from "../arguments/conversation-call.ts";
import { forEach } from "./for-each.ts";

export async function show({ words, args, output, host }: ConversationCall<string[]>): Promise<number> {
  const client = await host.client();
  return forEach(words, output, async (name) => {
    if (!args.isJson && name !== words[0]) output.outLine("");
    const params = { id: await selectedConversation(client, name, args) };
    const { conversation } = await client.call(routes.getConversation, { params });
    if (args.isJson) output.outLine(JSON.stringify(conversation));
    else
      for (const row of detailsOf(conversation, output)) output.outRow(row, row.startsWith(" ") ? undefined : lead);
  });
}

const lead = 10;

/** Commands get a row of their own where needed, so that they can be copied whole from a screen. */
function detailsOf(conversation: Conversation, { isScreen, width }: Output): readonly string[] {
  const id = isScreen ? shortId(conversation.id) : conversation.id;
  const none = isScreen ? "none" : "-";
  const rows = {
    id: conversation.id,
    title: conversation.title ?? none,
    model: conversation.model,
    profile: conversation.profile ?? none,
    cwd: conversation.cwd,
    created: minuteOf(conversation.createdAt),
    updated: minuteOf(conversation.updatedAt),
    status: conversation.status,
    archived: conversation.archived ? "yes" : "no",
  };
  const commands = { history: `incipit conversations history ${id}`, "go on": `incipit -s ${id} "…"` };
  const row = (name: string, value: string): string => `${name.padEnd(lead - 1)} ${escapeHiddenLine(value)}`;
  return [
    ...Object.entries(rows).map(([name, value]) => row(name, value)),
    ...Object.entries(commands).flatMap(([name, command]) =>
      isScreen && lead + command.length > width ? [name, `    ${command}`] : [row(name, command)],
    ),
  ];
}
