import { dayAt } from "@incipit/gateway-protocol";
import type { StorageWrite } from "@incipit/kernel";
import type { ConversationId } from "@incipit/schema";
import type { HeartContext } from "./heart-context.ts";
import { keys, storedOwnSchema } from "./stored.ts";

/**
 * Where wakes go. `own`: one conversation for all of them. `daily`: one for each day, so that a wake does not send again what
 * was said on days before. `fresh`: one for each wake.
 */
export type WakeConversation = "own" | "daily" | "fresh" | ConversationId;

/** The conversation in which a wake of now is; `undefined`: one is to be made. */
export async function conversationNow(context: HeartContext): Promise<ConversationId | undefined> {
  const { storage, conversation } = context;
  if (conversation === "fresh") return undefined;
  if (conversation !== "own" && conversation !== "daily") return conversation;
  const own = await storage.get(keys.own, storedOwnSchema);
  return conversation === "own" || own?.day === today(context) ? own?.id : undefined;
}

/** Whether the heartbeat makes its conversations itself. */
export function isMade(conversation: WakeConversation): boolean {
  return conversation === "own" || conversation === "daily" || conversation === "fresh";
}

/** Keeps a conversation that was made for the wakes that come. */
export function ownWrites(context: HeartContext, id: ConversationId): readonly StorageWrite[] {
  if (context.conversation === "fresh") return [];
  return [{ kind: "set", key: keys.own, value: { id, day: today(context) } }];
}

/** By the days of the heartbeat's time zone. */
function today({ clock, times }: HeartContext): string {
  return dayAt(clock.now(), times.timeZone);
}
