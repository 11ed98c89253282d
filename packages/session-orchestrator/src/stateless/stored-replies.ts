import type { Storage } from "@incipit/kernel";
import { lazySchema, messageSchema, type CallId, type MessagePart, type ModelMessage } from "@incipit/schema";
import * as z from "zod";
import { callKeys } from "../store/call-keys.ts";

const storedReplySchema = lazySchema(() =>
  z.object({
    model: z.string(),
    parts: messageSchema.shape.parts,
  }),
);
export type StoredReply = z.infer<typeof storedReplySchema>;

/** 34 or more characters; OpenAI accepts up to 40. */
const idPattern = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_\d{1,5}$/;

export function idInReply(callId: CallId, index: number): string {
  return `${callId.replaceAll("-", "")}_${index}`;
}

/** Client protocols cannot carry metadata that the vendor requires back with tool calls. */
export function isWantedBack(parts: readonly MessagePart[]): boolean {
  return parts.some(({ type }) => type === "tool-call") && parts.some((part) => "metadata" in part);
}

/** Restores vendor metadata. Replies that were edited or are no longer stored stay unchanged. */
export async function withStoredReplies(
  storage: Storage,
  messages: readonly ModelMessage[],
): Promise<readonly ModelMessage[]> {
  return Promise.all(messages.map((message) => withStoredReply(storage, message)));
}

async function withStoredReply(storage: Storage, message: ModelMessage): Promise<ModelMessage> {
  const callId = message.role === "assistant" ? callIdOf(message.parts) : undefined;
  if (callId === undefined) return message;
  const kept = await storage.get(callKeys.reply(callId), storedReplySchema).catch(() => undefined);
  if (kept === undefined || said(kept.parts) !== said(message.parts)) return message;
  return { role: "assistant", parts: kept.parts, model: kept.model };
}

function callIdOf(parts: readonly MessagePart[]): string | undefined {
  for (const part of parts) {
    const [, ...groups] = part.type === "tool-call" ? (idPattern.exec(part.toolCallId) ?? []) : [];
    if (groups.length > 0) return groups.join("-");
  }
  return undefined;
}

function said(parts: readonly MessagePart[]): string {
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  const calls = parts.flatMap((part) =>
    part.type === "tool-call" ? [[part.toolCallId, part.name, part.input]] : [],
  );
  return JSON.stringify([text, calls]);
}
