import { defineHandle, type ServiceHandle } from "@incipit/kernel";
import type {
  ChannelMessageView,
  ChannelPersonView,
  ChannelView,
  ContinueInChatRequest,
  PageQuery,
  PairingCode,
  SendToChannelRequest,
} from "@incipit/schema";
import type { Page } from "./conversations.ts";

/**
 * What people write on channels, who may, and what they are sent. Every method rejects with a {@link ServiceError}:
 * `CHANNEL_UNKNOWN` for a channel that was never there.
 */
export interface Chats {
  /** By id. */
  channels(): Promise<readonly ChannelView[]>;
  /** Newest first. Those that are over are kept for a while. */
  messages(channel: string, page: PageQuery): Promise<Page<ChannelMessageView>>;
  /**
   * Sends again what is `unknown` or `failed`, as a new message behind all that waits. Rejects with `MESSAGE_UNKNOWN`, and with
   * `MESSAGE_NOT_RETRYABLE` for any other.
   */
  retry(channel: string, message: string): Promise<ChannelMessageView>;
  /**
   * Resolves once it is stored. Gives nothing for the key of one that was stored before, within two days. Rejects with
   * `CHAT_UNKNOWN`.
   */
  send(
    channel: string,
    request: SendToChannelRequest,
    options?: { readonly key?: string },
  ): Promise<readonly ChannelMessageView[]>;
  /**
   * What is written in the chat from here on goes to that conversation, which the chat is told. Rejects with `CHAT_UNKNOWN`, with
   * `CONVERSATION_UNKNOWN`, and with `CHAT_TOOLS_EXCEEDED` when the conversation may use a tool that the chat may not.
   */
  continueIn(channel: string, chat: string, request: ContinueInChatRequest): Promise<readonly ChannelMessageView[]>;
  /** For one person, and for ten minutes. */
  createPairingCode(channel: string): Promise<PairingCode>;
  people(channel: string): Promise<readonly ChannelPersonView[]>;
  /** Rejects with `PERSON_UNKNOWN`, and with `PERSON_CONFIGURED` for one of the configuration. */
  removePerson(channel: string, person: string): Promise<void>;
}

export const chatsHandle: ServiceHandle<Chats> = defineHandle<Chats>("chats@1", {
  channels: "function",
  messages: "function",
  retry: "function",
  send: "function",
  continueIn: "function",
  createPairingCode: "function",
  people: "function",
  removePerson: "function",
});
