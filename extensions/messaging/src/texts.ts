import { singleLine, type ApprovalId } from "@incipit/schema";
import type { Channel, ChannelButton } from "@incipit/service-contract";
import type { StoredContent } from "./stored.ts";

const maxParts = 50;
const cutText = "(The rest is too long for this chat; see the conversation.)";
const minuteMs = 60_000;
const lateMs = 5 * minuteMs;

const room = agePrefix(88 * minuteMs);

export interface TextOptions {
  readonly buttons?: readonly ChannelButton[];
  readonly replyTo?: string | undefined;
  readonly approvalId?: ApprovalId;
}

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

export function ageBefore(ageMs: number): string {
  return ageMs > lateMs ? agePrefix(ageMs) : "";
}

function agePrefix(ageMs: number): string {
  const minutes = Math.round(ageMs / minuteMs);
  const age = minutes < 90 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
  return `(from ${age} ago)\n\n`;
}

export function oneLineOf(name: string, maxLength = 64): string {
  return Array.from(singleLine(name)).slice(0, maxLength).join("");
}
