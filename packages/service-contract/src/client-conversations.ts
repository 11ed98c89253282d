import { defineHandle, type JsonValue, type ServiceHandle } from "@incipit/kernel";

/** Id of a conversation and its owner: a token id, or `null` for the host's own token. */
export interface ClientConversationKey {
  readonly id: string;
  readonly owner: string | null;
}

export interface StoredClientConversation {
  readonly id: string;
  /** Unix time in seconds. */
  readonly createdAt: number;
  readonly metadata: Readonly<Record<string, string>>;
}

/** An item in the format of the client's protocol. */
export interface StoredClientItem {
  /** Unique in the conversation: a short letter prefix, `_`, and up to 60 of `0-9a-f_-`. */
  readonly id: string;
  readonly value: JsonValue;
}

export interface ClientItemsPage {
  readonly limit: number;
  readonly order: "asc" | "desc";
  /** Id of the last item of the previous page. */
  readonly after?: string | undefined;
}

/**
 * Conversations stored for clients of a vendor's protocol: a list of items, private to the token that created it.
 * Independent of `conversations@1`: they have no prompt, turns or tools.
 *
 * Changes to items are atomic. All methods with a key reject with `CONVERSATION_UNKNOWN` for an unknown id, or
 * another owner's.
 */
export interface ClientConversationsService {
  create(conversation: {
    readonly owner: string | null;
    readonly items: readonly StoredClientItem[];
    readonly metadata: Readonly<Record<string, string>>;
  }): Promise<StoredClientConversation>;
  get(key: ClientConversationKey): Promise<StoredClientConversation>;
  /** Replaces the metadata. */
  update(key: ClientConversationKey, metadata: Readonly<Record<string, string>>): Promise<StoredClientConversation>;
  /** Deletes the conversation and its items. */
  delete(key: ClientConversationKey): Promise<void>;
  /** @throws {ServiceError} `INVALID_REQUEST` when `after` is not an item id. */
  list(
    key: ClientConversationKey,
    page: ClientItemsPage,
  ): Promise<{ readonly items: readonly JsonValue[]; readonly hasMore: boolean }>;
  /** @throws {ServiceError} `MESSAGE_UNKNOWN`. */
  item(key: ClientConversationKey, itemId: string): Promise<JsonValue>;
  /**
   * Returns all items, oldest first, with the version of the list.
   * @throws {ServiceError} `INVALID_REQUEST` when the conversation is full.
   */
  read(key: ClientConversationKey): Promise<{ readonly version: number; readonly items: readonly JsonValue[] }>;
  /**
   * Appends items.
   * @throws {ServiceError} `CONVERSATION_BUSY` when `version` is outdated; `INVALID_REQUEST` when the conversation
   * is full.
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
