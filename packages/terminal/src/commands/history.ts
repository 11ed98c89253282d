import type { Message } from "@incipit/schema";
import { pagesOf, routes } from "@incipit/transport-contract";
import { pastBlocks } from "../transcript/past-blocks.ts";
import type { CommandContext, TerminalCommand } from "./command.ts";
import { usageText } from "./run-command.ts";

const pageSize = 200;

export const history: TerminalCommand = {
  name: "history",
  summary: "shows all messages, or the last N",
  argument: "[N]",
  async run(context, argument) {
    const { print, tell } = context;
    const wanted = argument === "" ? Number.POSITIVE_INFINITY : Number(argument);
    if (!/^(?:[1-9]\d*)?$/.test(argument)) return tell(`${usageText(history)}, such as /history 50`, "warning");
    const messages = await newestMessages(context, wanted);
    if (messages.length === 0) return tell("No messages yet");
    for (const block of await pastBlocks(messages.toReversed(), context)) print(block);
    tell(`${messages.length} ${messages.length === 1 ? "message" : "messages"}`);
  },
};

export async function newestMessages(
  { session }: Pick<CommandContext, "session">,
  wanted: number,
): Promise<readonly Message[]> {
  const id = session.conversation?.id;
  if (id === undefined) return [];
  const found: Message[] = [];
  const read = (cursor: string | undefined) => {
    const query = { limit: Math.min(pageSize, wanted - found.length), order: "newest", cursor } as const;
    return session.client.call(routes.listMessages, { params: { id }, query });
  };
  for await (const { messages } of pagesOf(read)) {
    found.push(...messages);
    if (found.length >= wanted) break;
  }
  return found;
}
