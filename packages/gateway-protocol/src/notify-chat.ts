import { errorMessage, KernelError } from "@incipit/kernel";
import type { Failure } from "@incipit/schema";
import { ServiceError, type Chats } from "@incipit/service-contract";
import { codeOf, isTransient } from "./transient-error.ts";

/** Per message, in characters. */
const maxTextLength = 100_000;

export interface ChatNotification {
  /** `CHANNEL:CHAT`. */
  readonly to: string;
  readonly text: string;
  /** Repeated sends with the same key are deduplicated. */
  readonly key: string;
}

/**
 * Queues a message, once. Returns the failure for permanent errors, such as an unknown channel. Rejects with transient
 * ones.
 */
export async function notifyChat(
  chats: { readonly current: Pick<Chats, "send"> | undefined },
  { to, text, key }: ChatNotification,
): Promise<Failure | undefined> {
  const [channel = "", ...chat] = to.split(":");
  const service = chats.current;
  if (service === undefined) return notTold(to, "SERVICE_UNAVAILABLE", "the extension of chats is not loaded");
  try {
    const shown = text.length > maxTextLength ? `${text.slice(0, maxTextLength - 1).toWellFormed()}…` : text;
    await service.send(channel, { chat: chat.join(":"), text: shown }, { key });
    return undefined;
  } catch (error) {
    // A disabled or overloaded channel stays so for long; do not block on it.
    const isOff = ServiceError.is(error) && error.code === "SERVICE_UNAVAILABLE" && !KernelError.is(error.cause);
    const code = codeOf(error);
    if (code === undefined || (isTransient(error) && !isOff)) throw error;
    return notTold(to, code, errorMessage(error));
  }
}

function notTold(to: string, code: string, why: string): Failure {
  return { code, message: `"${to}" could not be told: ${why}` };
}
