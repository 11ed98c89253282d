import { isShortEnd, turnEndText } from "../output/turn-end-text.ts";
import { calledTool, type Message, type MessagePart, type TurnEvent } from "@incipit/schema";
import { routes, type Client, pagesOf } from "@incipit/transport-contract";
import { calledConversation, type ConversationCall } from "../arguments/conversation-call.ts";
import { clippedLine } from "@incipit/schema/text";
import { toolLine } from "../output/show-event.ts";

type TurnEnd = Extract<TurnEvent, { type: "turn-end" }>;

interface Told {
  readonly ends: ReadonlyMap<string, TurnEnd>;
  readonly allowed: ReadonlyMap<string, string>;
}

/** Returns a key of a tool call; call ids alone are unique only within a turn. */
function callKey(turnId: string, toolCallId: string): string {
  return `${turnId} ${toolCallId}`;
}

export async function history(call: ConversationCall): Promise<void> {
  const { client, id, args, output } = await calledConversation(call);
  const { conversation } = await client.call(routes.getConversation, { params: { id } });
  const { ends, allowed } = await toldByEvents(client, { id, lastSeq: conversation.lastSeq });
  let previous: Message | undefined;
  const leave = (message: Message | undefined): void => {
    const end = message === undefined ? undefined : ends.get(message.turnId);
    if (end !== undefined) output.outLine(args.isJson ? JSON.stringify(end) : `(${endText(end)})`);
  };
  for await (const message of messagesOf(client, id)) {
    if (previous !== undefined && previous.turnId !== message.turnId) leave(previous);
    if (!args.isJson && previous !== undefined && previous.epoch !== message.epoch)
      output.outLine(`(compaction: what follows begins epoch ${message.epoch})`);
    if (args.isJson) output.outLine(JSON.stringify(message));
    else output.out(messageText(message, allowed));
    previous = message;
  }
  leave(previous);
}

async function* messagesOf(client: Client, id: string): AsyncGenerator<Message> {
  for await (const { messages } of pagesOf((cursor) =>
    client.call(routes.listMessages, { params: { id }, query: { cursor } }),
  ))
    yield* messages;
}

async function toldByEvents(
  client: Client,
  { id, lastSeq }: { readonly id: string; readonly lastSeq: number },
): Promise<Told> {
  const ends = new Map<string, TurnEnd>();
  const allowed = new Map<string, string>();
  if (lastSeq === 0) return { ends, allowed };
  for await (const event of client.followEvents(id, { afterSeq: 0 })) {
    if (event.type === "turn-end" && isShortEnd(event)) ends.set(event.turnId, event);
    if (event.type === "tool-call-end" && event.allowedBy !== undefined)
      allowed.set(callKey(event.turnId, event.toolCallId), event.allowedBy);
    if (event.seq >= lastSeq) break;
  }
  return { ends, allowed };
}

function endText(end: TurnEnd): string {
  const { status, error } = end;
  if (status !== "interrupted") return turnEndText(end).replace("The", "the");
  const why = error === undefined ? "" : `: ${error.message}`;
  return `interrupted: the host ended before the turn did${why}`;
}

function messageText({ parts, role, turnId }: Message, allowed: Told["allowed"]): string {
  return parts.map((part) => partText(part, { role, turnId, allowed })).join("");
}

function partText(
  part: MessagePart,
  { role, turnId, allowed }: Pick<Message, "role" | "turnId"> & Pick<Told, "allowed">,
): string {
  switch (part.type) {
    case "text": {
      const text = part.text.trimEnd();
      return role === "user" ? `> ${text.replaceAll("\n", "\n> ")}\n` : `${text}\n`;
    }
    case "file":
      return `> [file: ${clippedLine(part.filename ?? "without a name", { maxCharacters: 200 })}, ${part.mediaType}]\n`;
    case "tool-call": {
      const allowedBy = allowed.get(callKey(turnId, part.toolCallId));
      return `${toolLine({ ...calledTool(part), ...(allowedBy === undefined ? {} : { allowedBy }) })}\n`;
    }
    case "tool-result":
      return `  ${part.isError ? "failed: " : ""}${clippedLine(part.output, { maxCharacters: 300 })}\n`;
    case "reasoning":
      return ""; // Stored for the provider; shown with --json.
  }
}
