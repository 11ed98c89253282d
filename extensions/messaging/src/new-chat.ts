import type { ChannelChat } from "@incipit/service-contract";
import type { StoredChat } from "./stored.ts";
import { oneLineOf } from "./texts.ts";

export function newChat({ id, kind, title }: ChannelChat): StoredChat {
  return {
    id,
    kind,
    title: oneLineOf(title, 200),
    conversationId: null,
    model: null,
    profile: null,
    isToldFull: false,
  };
}
