import type { StorageWrite } from "@incipit/kernel";
import type { ConversationId } from "@incipit/schema";
import type { ChannelContext } from "./chats-context.ts";
import { keys } from "./keys.ts";

export interface Note {
  readonly chatId: string;
  /** Whose model is told: in another conversation nobody would know what it is about. */
  readonly conversationId: ConversationId;
  readonly text: string;
}

/** Keeps what the model is told with the next message, behind what it is told already. */
export function noteWrite({ channel, nextNumber }: ChannelContext, { chatId, ...value }: Note): StorageWrite {
  return { kind: "set", key: keys.note(channel.id, chatId, nextNumber()), value };
}
