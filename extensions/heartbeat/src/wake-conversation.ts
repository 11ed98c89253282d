import { dayAt } from "@incipit/gateway-protocol";
import type { StorageWrite } from "@incipit/kernel";
import type { ConversationId } from "@incipit/schema";
import type { HeartContext } from "./heart-context.ts";
import { keys, storedOwnSchema } from "./stored.ts";

/** `daily` starts anew each day, so that a wake does not resend earlier days. */
export type WakeConversation = "own" | "daily" | "fresh" | ConversationId;

export async function conversationNow(context: HeartContext): Promise<ConversationId | undefined> {
  const { storage, conversation } = context;
  if (conversation === "fresh") return undefined;
  if (conversation !== "own" && conversation !== "daily") return conversation;
  const own = await storage.get(keys.own, storedOwnSchema);
  return conversation === "own" || own?.day === today(context) ? own?.id : undefined;
}

export function isMade(conversation: WakeConversation): boolean {
  return conversation === "own" || conversation === "daily" || conversation === "fresh";
}

export function ownWrites(context: HeartContext, id: ConversationId): readonly StorageWrite[] {
  if (context.conversation === "fresh") return [];
  return [{ kind: "set", key: keys.own, value: { id, day: today(context) } }];
}

function today({ clock, times }: HeartContext): string {
  return dayAt(clock.now(), times.timeZone);
}
