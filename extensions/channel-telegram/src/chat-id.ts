/** A topic is a separate chat for the host and a thread of a chat for Telegram. */
export interface TelegramPlace {
  readonly chatId: number;
  readonly threadId: number | undefined;
}

export function chatIdOf({ chatId, threadId }: TelegramPlace): string {
  return threadId === undefined ? String(chatId) : `${chatId}/${threadId}`;
}

export function placeOf(id: string): TelegramPlace | undefined {
  const [, chatId = "", threadId] = /^(-?[1-9]\d{0,15})(?:\/([1-9]\d{0,15}))?$/.exec(id) ?? [];
  if (chatId === "") return undefined;
  return { chatId: Number(chatId), threadId: threadId === undefined ? undefined : Number(threadId) };
}
