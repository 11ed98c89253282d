import type { StorageWrite } from "@incipit/kernel";
import type { ConversationId } from "@incipit/schema";
import type { ChannelContext } from "./chats-context.ts";
import { keys } from "./keys.ts";

export interface Note {
  readonly chatId: string;
  /** Dropped when the chat has another conversation. */
  readonly conversationId: ConversationId;
  readonly text: string;
}

export function noteWrite({ channel, nextNumber }: ChannelContext, { chatId, ...value }: Note): StorageWrite {
  return { kind: "set", key: keys.note(channel.id, chatId, nextNumber()), value };
}
