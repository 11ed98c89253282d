import { errorMessage, KernelError, type Log } from "@incipit/kernel";
import type { Failure } from "@incipit/schema";
import { codeOf, isTransient, ServiceError, type Chats } from "@incipit/service-contract";

/** Maximum length of a message, in characters. */
const maxTextLength = 100_000;

export interface ChatNotification {
  /** `CHANNEL:CHAT`. */
  readonly to: string;
  readonly text: string;
  /** Repeated sends with the same key are deduplicated. */
  readonly key: string;
}

/**
 * Queues a message, once. Logs and returns the failure for permanent errors, such as an unknown channel. Rejects with
 * transient ones.
 */
export async function notifyChat(
  chats: { readonly current: Pick<Chats, "send"> | undefined },
  { to, text, key }: ChatNotification,
  log: Pick<Log, "error">,
): Promise<Failure | undefined> {
  const [channel = "", ...chat] = to.split(":");
  const service = chats.current;
  const failed = (code: string, why: string): Failure => {
    const message = `Cannot notify "${to}": ${why}`;
    log.error("A chat was not told of what ran by itself", { error: message });
    return { code, message };
  };
  if (service === undefined) return failed("SERVICE_UNAVAILABLE", "the extension of chats is not loaded");
  try {
    const shown = text.length > maxTextLength ? `${text.slice(0, maxTextLength - 1).toWellFormed()}…` : text;
    await service.send(channel, { chat: chat.join(":"), text: shown }, { key });
    return undefined;
  } catch (error) {
    // A disabled or overloaded channel stays so for long; do not block on it.
    const isOff = ServiceError.is(error) && error.code === "SERVICE_UNAVAILABLE" && !KernelError.is(error.cause);
    const code = codeOf(error);
    if (code === undefined || (isTransient(error) && !isOff)) throw error;
    return failed(code, errorMessage(error));
  }
}
