import { singleLine, type ApprovalId } from "@incipit/schema";
import type { Channel, ChannelButton } from "@incipit/service-contract";
import type { StoredContent } from "./stored.ts";

/** One reply is at most as many messages: the rest is in its conversation. */
const maxParts = 50;
const cutText = "(The rest is too long for this chat: it is in the conversation.)";
const minuteMs = 60_000;
/** What is later than that says how old it is. */
const lateMs = 5 * minuteMs;

/** As long as any age is: what has room for it has room for all. */
const room = agePrefix(88 * minuteMs);

export interface TextOptions {
  readonly buttons?: readonly ChannelButton[];
  readonly replyTo?: string | undefined;
  /** The approval that the text asks for. */
  readonly approvalId?: ApprovalId;
}

/** A text as messages of the channel; the first one has room for its age. */
export function textContents(
  channel: Pick<Channel, "split">,
  text: string,
  { buttons = [], replyTo, approvalId }: TextOptions = {},
): readonly StoredContent[] {
  if (text.trim() === "") return [];
  const withRoom = channel.split(`${room}${text}`);
  const [first = ""] = withRoom;
  const hasRoom = first.startsWith(room) && first.slice(room.length).trim() !== "";
  const whole = hasRoom ? [first.slice(room.length), ...withRoom.slice(1)] : channel.split(text);
  const parts = whole.length > maxParts ? [...whole.slice(0, maxParts - 1), cutText] : whole;
  return parts.map((part, index) => ({
    kind: "text",
    text: part,
    buttons: index === parts.length - 1 ? buttons.map(({ id, label }) => ({ id, label })) : [],
    replyTo: index === 0 ? (replyTo ?? null) : null,
    hasRoom: index === 0 && hasRoom,
    approvalId: approvalId ?? null,
  }));
}

/** What stands before a message that comes late; empty for one that does not. */
export function ageBefore(ageMs: number): string {
  return ageMs > lateMs ? agePrefix(ageMs) : "";
}

function agePrefix(ageMs: number): string {
  const minutes = Math.round(ageMs / minuteMs);
  const age = minutes < 90 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
  return `(from ${age} ago)\n\n`;
}

/** A name as others have given it, for a line of ours. */
export function oneLineOf(name: string, maxLength = 64): string {
  return Array.from(singleLine(name)).slice(0, maxLength).join("");
}
