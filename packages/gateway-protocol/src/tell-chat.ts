import { errorMessage, KernelError } from "@incipit/kernel";
import type { Failure } from "@incipit/schema";
import { ServiceError, type Chats } from "@incipit/service-contract";
import { codeOf, isPassing } from "./passing.ts";

/** What a chat may get at once. */
const maxTextLength = 100_000;

export interface ToldText {
  /** `CHANNEL:CHAT`. */
  readonly to: string;
  readonly text: string;
  /** However often it is told with the same one, it is sent once. */
  readonly key: string;
}

/**
 * Puts a text into the outbox of a chat, once. Gives why it could not be told: such as a channel that is not there. Rejects with
 * what passes.
 */
export async function tellChat(
  chats: { readonly current: Pick<Chats, "send"> | undefined },
  { to, text, key }: ToldText,
): Promise<Failure | undefined> {
  const [channel = "", ...chat] = to.split(":");
  const service = chats.current;
  if (service === undefined) return notTold(to, "SERVICE_UNAVAILABLE", "the extension of chats is not loaded");
  try {
    const shown = text.length > maxTextLength ? `${text.slice(0, maxTextLength - 1).toWellFormed()}…` : text;
    await service.send(channel, { chat: chat.join(":"), text: shown }, { key });
    return undefined;
  } catch (error) {
    // A channel that is off, or has more to send than it can, is so for long: what waits for it would wait, too.
    const isOff = ServiceError.is(error) && error.code === "SERVICE_UNAVAILABLE" && !KernelError.is(error.cause);
    const code = codeOf(error);
    if (code === undefined || (isPassing(error) && !isOff)) throw error;
    return notTold(to, code, errorMessage(error));
  }
}

function notTold(to: string, code: string, why: string): Failure {
  return { code, message: `"${to}" could not be told: ${why}` };
}
