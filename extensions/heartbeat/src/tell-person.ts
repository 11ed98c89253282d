import { tellChat } from "@incipit/gateway-protocol";
import type { Failure } from "@incipit/schema";
import type { HeartContext } from "./heart-context.ts";

/** Puts a text where a person reads it, once for its key; nowhere when nobody is configured. Gives why it could not be told. */
export async function tellPerson(
  { chats, log, tell }: HeartContext,
  { text, key }: { readonly text: string; readonly key: string },
): Promise<Failure | undefined> {
  if (tell === undefined) return undefined;
  const failure = await tellChat(chats, { to: tell, text, key });
  if (failure !== undefined) log.error("Nobody was told what the heartbeat has to say", { error: failure.message });
  return failure;
}
