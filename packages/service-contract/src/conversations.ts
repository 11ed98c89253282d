import { defineHandle, type ServiceHandle, type StorageBatch } from "@incipit/kernel";
import type {
  ArchivedFilter,
  Conversation,
  ConversationId,
  ConversationTask,
  ConversationTools,
  OmittedTool,
  CreateConversationRequest,
  ExportLine,
  ForkConversationRequest,
  Message,
  PageQuery,
  PromptDrift,
  QueuedTurn,
  RebuildOutcome,
  RebuildPromptRequest,
  SearchResult,
  Spent,
  StatusFilter,
  TurnBody,
  TurnEvent,
  TurnId,
  UpdateConversationRequest,
} from "@incipit/schema";

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
}

export interface ListQuery extends PageQuery {
  /** Defaults to conversations that are not archived. */
  readonly archived?: ArchivedFilter;
  /** Defaults to all. */
  readonly status?: StatusFilter | undefined;
  /** PROVIDER/MODEL. Defaults to all. */
  readonly model?: string | undefined;
}

export interface SearchQuery extends ListQuery {
  /** Words and "quoted phrases". */
  readonly q: string;
}

export interface FollowOptions {
  /** Sequence number of the last event received. 0 replays all events. Defaults to new events only. */
  readonly afterSeq?: number;
  /** Ends after this turn's `turn-end`. */
  readonly turnId?: TurnId;
  readonly signal?: AbortSignal;
}

/**
 * A command without `input` is expanded in the conversation's folder, after the idempotency check: a repeated send does
 * not expand it again.
 */
export type SentMessage = Omit<TurnBody, "allow">;

export interface SendOptions {
  /** A repeated send with the same key in a conversation returns the original turn. */
  readonly idempotencyKey?: string;
  /**
   * Writes of the caller, committed atomically with the acknowledged turn. They must not contain checks. Not called
   * for a repeated send.
   */
  readonly join?: (turn: AcknowledgedTurn) => StorageBatch;
  /** No user is available to answer questions: the turn's questions are cancelled immediately. */
  readonly isUnattended?: boolean;
  /** Ends the expansion of a command; nothing is stored then. */
  readonly signal?: AbortSignal;
}

export interface AcknowledgedTurn {
  readonly turnId: TurnId;
  /** Sequence number before the turn's first event, for `follow`. */
  readonly afterSeq: number;
}

/** A tool call of a running turn. */
export interface ParentCall {
  readonly conversationId: ConversationId;
  readonly turnId: TurnId;
  readonly toolCallId: string;
}

export interface CreateOptions {
  /**
   * Makes the conversation a subtask of a tool call: archived from the start, announced to followers of the parent
   * (`task-start`), listed by `tasks`, and deleted with the parent.
   */
  readonly parent?: ParentCall;
  /** Writes of the caller, committed atomically with the conversation. They must not contain checks. */
  readonly join?: (id: ConversationId) => StorageBatch;
  /** After it aborts, no subtask is started. */
  readonly signal?: AbortSignal;
}

/**
 * Creates and runs conversations. Every method rejects with a {@link ServiceError}, whose `code` is an
 * `ApiErrorCode`. User answers go through `ApprovalsService`.
 */
export interface ConversationsService {
  /** @throws {ServiceError} `CONVERSATION_BUSY` for a subtask of a call that has ended. */
  create(request: CreateConversationRequest, options?: CreateOptions): Promise<Conversation>;
  get(id: ConversationId): Promise<Conversation>;
  /**
   * Copies a conversation up to a message, with the same prompt and tools, so that the next request keeps the
   * prefix byte for byte. A fork from an earlier epoch gets that epoch's messages and a newly constructed prompt.
   * @throws {ServiceError} `MESSAGE_UNKNOWN`; `FORK_POINT_INVALID` between a tool call and its result.
   */
  fork(id: ConversationId, request: ForkConversationRequest): Promise<Conversation>;
  /**
   * Updates the title, archived state, folder, model, profile or system messages; also while a turn runs. Atomic.
   * @throws {ServiceError} `CWD_INVALID`, `MODEL_UNKNOWN`, `PROFILE_UNKNOWN`.
   */
  update(id: ConversationId, request: UpdateConversationRequest): Promise<Conversation>;
  /**
   * Stops running and queued turns, then deletes all data of the conversation and its subtasks. If the storage
   * supports erasure, no data remains in its files once this resolves.
   */
  delete(id: ConversationId): Promise<void>;
  /**
   * Lists conversations, newest first, in their current state. A page may have fewer than `limit` entries, or none,
   * and still have a next page.
   */
  list(query: ListQuery): Promise<Page<Conversation>>;
  /**
   * Finds conversations whose title, or the text of one message in any epoch, contains all words of `q`; ignores
   * case and accents. Newest first, without duplicates. A call scans a bounded number of records, so a page may
   * have fewer than `limit` entries, or none, and still have a next page.
   * @throws {ServiceError} `INVALID_REQUEST` for a `q` without words, or a cursor of another query.
   */
  search(query: SearchQuery): Promise<Page<SearchResult>>;
  /**
   * Exports all data of a conversation, as a snapshot taken at the first line.
   * @throws {ServiceError} `CONVERSATION_BUSY` while a turn runs or waits.
   */
  exportLines(id: ConversationId): AsyncIterable<ExportLine>;
  /**
   * Imports the output of `exportLines` under the same id, atomically.
   * @throws {ServiceError} `CONVERSATION_EXISTS`; `INVALID_REQUEST`, which names the line.
   */
  importLines(lines: AsyncIterable<ExportLine>): Promise<Conversation>;
  /**
   * Queues a turn. Once it resolves, `turn-start` or `turn-queue` is stored; the turn runs to completion even if no
   * client follows.
   * @throws {ServiceError} `IDEMPOTENCY_CONFLICT` when the key was used with another request; the errors of
   * `CommandsService.expand`.
   */
  send(id: ConversationId, request: SentMessage, options?: SendOptions): Promise<AcknowledgedTurn>;
  /**
   * Streams stored events, then live ones, without gaps or duplicates. Ends when `signal` aborts, when `turnId` has
   * ended, or when the service stops (after the terminal events of running turns).
   */
  follow(id: ConversationId, options: FollowOptions): AsyncIterable<TurnEvent>;
  /** Ends the running turn as `cancelled` and continues with the queue. Returns `false` if no turn was running. */
  stop(id: ConversationId): Promise<boolean>;
  /** Lists queued turns, next one first. */
  queue(id: ConversationId): Promise<readonly QueuedTurn[]>;
  /**
   * Ends a queued turn as `cancelled`.
   * @throws {ServiceError} `TURN_NOT_QUEUED` for any other turn.
   */
  removeQueued(id: ConversationId, turnId: TurnId): Promise<void>;
  /**
   * Runs the turns queued before the host's restart (status `waiting`) and returns their number. `send` does so
   * too.
   */
  resume(id: ConversationId): Promise<number>;
  /**
   * Compacts the conversation. On failure it rejects and changes nothing.
   * @param options.instructions Details that the summary must keep or emphasize.
   */
  compact(
    id: ConversationId,
    options?: { readonly signal?: AbortSignal; readonly instructions?: string },
  ): Promise<{ readonly conversation: Conversation; readonly summary: Message }>;
  /**
   * Constructs the prompt again at a user's request and records who asked and why. Atomic.
   * @throws {ServiceError} `CONVERSATION_BUSY` while a turn runs; `PROMPT_NOT_CONSTRUCTED` before the first turn.
   */
  rebuild(
    id: ConversationId,
    request: RebuildPromptRequest,
    options?: { readonly signal?: AbortSignal },
  ): Promise<RebuildOutcome>;
  /** Compares the stored prompt with a new construction, without storing it; `null` if none was constructed. */
  drift(id: ConversationId, options?: { readonly signal?: AbortSignal }): Promise<PromptDrift | null>;
  /**
   * Lists subtasks started by the conversation's tool calls, newest first, each with the usage of its subtree;
   * `spent` covers the page. A page may have fewer than `limit` entries and still have a next page.
   */
  tasks(id: ConversationId, page: PageQuery): Promise<Page<ConversationTask> & { readonly spent: Spent }>;
  /**
   * Lists the tools of the current epoch, and the tools available now. Queries tool sources, which may start
   * servers; a source that exceeds the time limit is omitted and named.
   */
  tools(id: ConversationId, options: { readonly signal: AbortSignal }): Promise<ConversationTools>;
  /** Lists tools of the current epoch that requests to the conversation's model omit. Does not query sources. */
  leftOutTools(id: ConversationId): Promise<readonly OmittedTool[]>;
}

export const conversationsHandle: ServiceHandle<ConversationsService> = defineHandle<ConversationsService>(
  "conversations@1",
  {
    create: "function",
    get: "function",
    fork: "function",
    update: "function",
    delete: "function",
    list: "function",
    search: "function",
    exportLines: "function",
    importLines: "function",
    send: "function",
    follow: "function",
    stop: "function",
    queue: "function",
    removeQueued: "function",
    resume: "function",
    compact: "function",
    rebuild: "function",
    drift: "function",
    tasks: "function",
    tools: "function",
    leftOutTools: "function",
  },
);
