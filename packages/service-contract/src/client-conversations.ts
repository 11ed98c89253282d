import { defineHandle, type JsonValue, type ServiceHandle } from "@incipit/kernel";

/** Which conversation, and who asks: the id of a token; `null`: the host's own. */
export interface ClientConversationKey {
  readonly id: string;
  readonly owner: string | null;
}

export interface StoredClientConversation {
  readonly id: string;
  /** Seconds since 1970. */
  readonly createdAt: number;
  readonly metadata: Readonly<Record<string, string>>;
}

/** What was said there, in the words of the client's protocol. */
export interface StoredClientItem {
  /** Unlike those of all others of its conversation: a few letters, `_`, and up to 60 of `0-9a-f_-`. */
  readonly id: string;
  readonly value: JsonValue;
}

export interface ClientItemsPage {
  readonly limit: number;
  readonly order: "asc" | "desc";
  /** The id of the last item of the page before. */
  readonly after?: string | undefined;
}

/**
 * Conversations that clients of a vendor's protocol have the host keep: lists of items, each for the token that made it. They are
 * none of `conversations@1`: no prompt, turn or tool belongs to one.
 *
 * Items change all at once or not at all. All that take a key reject with `ServiceError` `CONVERSATION_UNKNOWN`: there is none, or
 * it is somebody else's.
 */
export interface ClientConversationsService {
  create(conversation: {
    readonly owner: string | null;
    readonly items: readonly StoredClientItem[];
    readonly metadata: Readonly<Record<string, string>>;
  }): Promise<StoredClientConversation>;
  get(key: ClientConversationKey): Promise<StoredClientConversation>;
  /** In place of the metadata that there was. */
  update(key: ClientConversationKey, metadata: Readonly<Record<string, string>>): Promise<StoredClientConversation>;
  /** With its items. */
  delete(key: ClientConversationKey): Promise<void>;
  /** @throws {ServiceError} `INVALID_REQUEST` for an `after` that is no item. */
  list(
    key: ClientConversationKey,
    page: ClientItemsPage,
  ): Promise<{ readonly items: readonly JsonValue[]; readonly hasMore: boolean }>;
  /** @throws {ServiceError} `MESSAGE_UNKNOWN`. */
  item(key: ClientConversationKey, itemId: string): Promise<JsonValue>;
  /** All items, oldest first, with the version of the list. @throws {ServiceError} `INVALID_REQUEST` where there is no room for more. */
  read(key: ClientConversationKey): Promise<{ readonly version: number; readonly items: readonly JsonValue[] }>;
  /**
   * Behind all of them.
   * @throws {ServiceError} `CONVERSATION_BUSY` for a `version` that is not that of the list any more; `INVALID_REQUEST` where
   *   there is no room.
   */
  add(
    key: ClientConversationKey,
    added: { readonly items: readonly StoredClientItem[]; readonly version?: number },
  ): Promise<void>;
  /** @throws {ServiceError} `MESSAGE_UNKNOWN`. */
  remove(key: ClientConversationKey, itemId: string): Promise<void>;
}

export const clientConversationsHandle: ServiceHandle<ClientConversationsService> =
  defineHandle<ClientConversationsService>("client-conversations@1", {
    create: "function",
    get: "function",
    update: "function",
    delete: "function",
    list: "function",
    item: "function",
    read: "function",
    add: "function",
    remove: "function",
  });
