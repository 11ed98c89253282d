import { sentText, type Message } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { Choice, CommandContext, TerminalCommand } from "./command.ts";
import { newestMessages } from "./history.ts";
import { messageLine, shownLines } from "./message-text.ts";

const withAll = "all";
const maxMessages = 2_000;

export const fork: TerminalCommand = {
  name: "fork",
  summary: "forks the conversation at a message",
  async run(context) {
    const { session, choose, tell } = context;
    const id = session.conversation?.id;
    if (id === undefined) return tell("The conversation is empty: nothing to fork");
    const messages = await newestMessages(context, maxMessages);
    const choices = [{ value: withAll, label: "All messages" }, ...messages.flatMap(choicesOf)];
    const preview = (value: string): readonly string[] => {
      const message = messages.find((one) => one.id === value);
      if (message === undefined) return ["The copy has every message."];
      const what =
        message.role === "user"
          ? "The copy ends before this message; its text goes to the editor:"
          : "The copy ends with this message:";
      return [what, ...shownLines(textOf(message))];
    };
    const chosen = await choose("Fork at which message?", choices, { preview });
    if (chosen === undefined) return;
    const message = messages.find((one) => one.id === chosen);
    const body =
      message === undefined ? {} : message.role === "user" ? { before: message.id } : { after: message.id };
    await openFork(context, body);
    if (message?.role === "user") context.write(sentText(message));
  },
};

export async function openFork(
  { session, tell }: CommandContext,
  body: { readonly after?: string; readonly before?: string },
): Promise<void> {
  const id = session.conversation?.id;
  if (id === undefined) return;
  const { conversation } = await session.client.call(routes.forkConversation, { params: { id }, body });
  await session.open(conversation.id);
  tell(`You are now in the copy. The original is unchanged: /resume ${id}`, "good");
}

function choicesOf(message: Message): readonly Choice[] {
  const line = messageLine(message);
  if (line === undefined || message.role === "tool" || message.carriedFrom !== undefined) return [];
  // The copy would lack the tool results.
  if (message.parts.some(({ type }) => type === "tool-call")) return [];
  const description = message.role === "user" ? "fork before it" : "fork after it";
  return [{ value: message.id, label: line, description }];
}

function textOf({ parts }: Message): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
