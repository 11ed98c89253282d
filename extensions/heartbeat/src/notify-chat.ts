import { notifyChat } from "@incipit/gateway-protocol";
import type { Failure } from "@incipit/schema";
import type { HeartContext } from "./heart-context.ts";

/** Does nothing without a chat. Returns an error when the chat cannot be reached. */
export async function notifyPerson(
  { chats, log, tell }: HeartContext,
  { text, key }: { readonly text: string; readonly key: string },
): Promise<Failure | undefined> {
  if (tell === undefined) return undefined;
  const failure = await notifyChat(chats, { to: tell, text, key });
  if (failure !== undefined) log.error("Nobody was told what the heartbeat has to say", { error: failure.message });
  return failure;
}
