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
 * Messaging gateway: channels, their messages, and authorized users. Every method rejects with a {@link
 * ServiceError}, such as `CHANNEL_UNKNOWN`.
 */
export interface Chats {
  /** Lists channels, sorted by id. */
  channels(): Promise<readonly ChannelView[]>;
  /** Lists messages, newest first. Completed messages are retained for a limited time. */
  messages(channel: string, page: PageQuery): Promise<Page<ChannelMessageView>>;
  /**
   * Sends an `unknown` or `failed` message again, at the end of the queue.
   * @throws {ServiceError} `MESSAGE_UNKNOWN`, `MESSAGE_NOT_RETRYABLE` for any other state.
   */
  retry(channel: string, message: string): Promise<ChannelMessageView>;
  /**
   * Stores a message for delivery. With a `key` used within the last two days, returns an empty list.
   * @throws {ServiceError} `CHAT_UNKNOWN`.
   */
  send(
    channel: string,
    request: SendToChannelRequest,
    options?: { readonly key?: string },
  ): Promise<readonly ChannelMessageView[]>;
  /**
   * Switches a chat to a conversation and notifies the chat.
   * @throws {ServiceError} `CHAT_UNKNOWN`, `CONVERSATION_UNKNOWN`, `CHAT_TOOLS_EXCEEDED` when the conversation may
   * use tools that the chat may not.
   */
  continueIn(channel: string, chat: string, request: ContinueInChatRequest): Promise<readonly ChannelMessageView[]>;
  /** Creates a code that pairs one person. Expires after ten minutes. */
  createPairingCode(channel: string): Promise<PairingCode>;
  people(channel: string): Promise<readonly ChannelPersonView[]>;
  /**
   * Revokes a paired person's access.
   * @throws {ServiceError} `PERSON_UNKNOWN`, `PERSON_CONFIGURED` for a person of the configuration.
   */
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
