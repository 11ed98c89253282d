import type { Message } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { emptyRow } from "../transcript/block.ts";
import { messageBlocks } from "../transcript/message-blocks.ts";
import type { CommandContext, TerminalCommand } from "./command.ts";

const pageSize = 200;

export const history: TerminalCommand = {
  name: "history",
  summary: "shows what was said, from the beginning or the last N messages",
  argument: "[N]",
  async run(context, argument) {
    const { print, style, highlighter, tell } = context;
    const wanted = argument === "" ? Number.POSITIVE_INFINITY : Number(argument);
    if (Number.isNaN(wanted) || wanted < 1)
      return tell("/history takes a number of messages, such as /history 50", "warning");
    const messages = await newestMessages(context, wanted);
    if (messages.length === 0) return tell("Nothing was said yet");
    for (const message of messages.toReversed())
      for (const block of messageBlocks(message, { style, highlighter })) {
        print(emptyRow);
        print(block);
      }
    tell(`${messages.length} ${messages.length === 1 ? "message" : "messages"}`);
  },
};

/** The newest messages, the newest first. */
export async function newestMessages(
  { session }: Pick<CommandContext, "session">,
  wanted: number,
): Promise<readonly Message[]> {
  const id = session.conversation?.id;
  if (id === undefined) return [];
  const found: Message[] = [];
  for (let cursor: string | undefined; found.length < wanted;) {
    const limit = Math.min(pageSize, wanted - found.length);
    const query = { limit, order: "newest" as const, ...(cursor === undefined ? {} : { cursor }) };
    const { messages, nextCursor } = await session.client.call(routes.listMessages, { params: { id }, query });
    found.push(...messages);
    cursor = nextCursor;
    if (cursor === undefined) break;
  }
  return found;
}
