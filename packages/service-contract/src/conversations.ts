import { defineHandle, type ServiceHandle, type StorageBatch } from "@incipit/kernel";
import type {
  ArchivedFilter,
  Conversation,
  ConversationId,
  ConversationTask,
  ConversationTools,
  LeftOutTool,
  CreateConversationRequest,
  CreateTurnRequest,
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
  /** Absent: those that are not archived. */
  readonly archived?: ArchivedFilter;
  /** Absent: all. */
  readonly status?: StatusFilter | undefined;
  /** PROVIDER/MODEL; absent: all. */
  readonly model?: string | undefined;
}

export interface SearchQuery extends ListQuery {
  /** Words and "quoted phrases". */
  readonly q: string;
}

export interface FollowOptions {
  /** The newest event that the caller has; absent: from what comes from now on. 0: everything. */
  readonly afterSeq?: number;
  /** Ends after this turn's `turn-end`. */
  readonly turnId?: TurnId;
  readonly signal?: AbortSignal;
}

/** A message that is made of what was asked for once it is known to be new: a repeated send makes none. */
export interface TurnToMake {
  /** What a key stands for. */
  readonly asked: TurnBody;
  /** What it rejects with, `send` rejects with; nothing is stored then. */
  make(): Promise<CreateTurnRequest>;
}

export interface SendOptions {
  /** A repeated send with the key of an earlier one in its conversation gives that one's turn. */
  readonly idempotencyKey?: string;
  /**
   * What the caller stores about the turn, in the commit that acknowledges it: neither is there without the other. It has no
   * checks, and is not asked for by a repeated send.
   */
  readonly join?: (turn: AcknowledgedTurn) => StorageBatch;
  /** Nobody is there who could be asked for values: what its calls ask is cancelled at once. */
  readonly isUnattended?: boolean;
}

export interface AcknowledgedTurn {
  readonly turnId: TurnId;
  /** A number before its first event, for `follow`. */
  readonly afterSeq: number;
}

/** A call of a tool, in a turn that runs. */
export interface ParentCall {
  readonly conversationId: ConversationId;
  readonly turnId: TurnId;
  readonly toolCallId: string;
}

export interface CreateOptions {
  /**
   * It works on a task of that call: it is archived from the beginning, shown to followers of its caller (`task-start`), found
   * by `tasks`, and deleted with its caller.
   */
  readonly parent?: ParentCall;
  /** What the caller stores about it, in the same commit: neither is there without the other. It has no checks. */
  readonly join?: (id: ConversationId) => StorageBatch;
  /** Once it aborts, no task is begun. */
  readonly signal?: AbortSignal;
}

/** Every method rejects with a {@link ServiceError}; its `code` is an `ApiErrorCode`. A person's answers are `ApprovalsService`. */
export interface ConversationsService {
  /** Rejects with `CONVERSATION_BUSY` for the task of a call that has ended. */
  create(request: CreateConversationRequest, options?: CreateOptions): Promise<Conversation>;
  get(id: ConversationId): Promise<Conversation>;
  /**
   * A conversation with the same prompt, tools and messages up to a point, whose next request goes on with the same bytes.
   * One that branches off in an earlier epoch has that epoch's messages, and a prompt that is constructed anew. Rejects
   * with `MESSAGE_UNKNOWN`, and with `FORK_POINT_INVALID` for a point between tool calls and their results.
   */
  fork(id: ConversationId, request: ForkConversationRequest): Promise<Conversation>;
  /**
   * Gives a title, takes one away, archives or brings back; gives another folder, model, profile or texts. Also while a turn
   * runs. Rejects with `CWD_INVALID`, `MODEL_UNKNOWN` or `PROFILE_UNKNOWN`, and has changed nothing then.
   */
  update(id: ConversationId, request: UpdateConversationRequest): Promise<Conversation>;
  /**
   * Ends what runs and waits there, then deletes all that is stored of it and of its tasks. When it resolves, nothing of it can be found in
   * the storage's files, as far as the storage offers that.
   */
  delete(id: ConversationId): Promise<void>;
  /** Newest first, each as it is at that moment. A page may have fewer than `limit`, or none, and others behind it. */
  list(query: ListQuery): Promise<Page<Conversation>>;
  /**
   * The conversations with all words of `q` in their title, or in the text that was said in one message of any epoch;
   * letters are compared without case and accents. Newest first, each once. A call looks at a bounded number of records:
   * its page may have fewer than `limit`, or none, and others behind it. Rejects with `INVALID_REQUEST` for a `q`
   * without any word, or a cursor of something else.
   */
  search(query: SearchQuery): Promise<Page<SearchResult>>;
  /**
   * All that is kept of a conversation, as it was when the first line was asked for. Throws `CONVERSATION_BUSY` while
   * something runs or waits in it.
   */
  exportLines(id: ConversationId): AsyncIterable<ExportLine>;
  /**
   * Keeps what `exportLines` gave, under the same id: all of it, or nothing. Rejects with `CONVERSATION_EXISTS`, and with
   * `INVALID_REQUEST` that names the line.
   */
  importLines(lines: AsyncIterable<ExportLine>): Promise<Conversation>;
  /**
   * Acknowledges a turn: when it resolves, `turn-start` or `turn-queue` is stored. It runs to its end whether or not
   * anyone follows. Rejects with `IDEMPOTENCY_CONFLICT` for the key of another request.
   */
  send(
    id: ConversationId,
    request: CreateTurnRequest | TurnToMake,
    options?: SendOptions,
  ): Promise<AcknowledgedTurn>;
  /**
   * Stored events, then live ones, without a gap or a repeat. Ends when `signal` aborts, when `turnId` has ended, or when
   * the service stops (after the terminal events of what was running).
   */
  follow(id: ConversationId, options: FollowOptions): AsyncIterable<TurnEvent>;
  /** Ends the running turn as `cancelled`; the queue goes on. `false`: nothing was running. */
  stop(id: ConversationId): Promise<boolean>;
  /** Turns that wait for those before them, the next one first. */
  queue(id: ConversationId): Promise<readonly QueuedTurn[]>;
  /** Ends a turn that has not begun as `cancelled`. Rejects with `TURN_NOT_QUEUED` for any other. */
  removeQueued(id: ConversationId, turnId: TurnId): Promise<void>;
  /** Lets the turns that wait since the start of the host run (status `waiting`), and gives how many; so does a `send`. */
  resume(id: ConversationId): Promise<number>;
  /**
   * Resolves when it is done; a failed one rejects and has changed nothing.
   * @param options.instructions What the summary has to keep or to stress.
   */
  compact(
    id: ConversationId,
    options?: { readonly signal?: AbortSignal; readonly instructions?: string },
  ): Promise<{ readonly conversation: Conversation; readonly summary: Message }>;
  /**
   * Constructs the prompt anew because a person asks for it; kept with who and why, or nothing has changed. Rejects with
   * `CONVERSATION_BUSY` while something runs, and `PROMPT_NOT_CONSTRUCTED` before the first turn, which constructs it.
   */
  rebuild(
    id: ConversationId,
    request: RebuildPromptRequest,
    options?: { readonly signal?: AbortSignal },
  ): Promise<RebuildOutcome>;
  /** What construction would give at this moment against the kept prompt; `null`: never constructed. Nothing is stored. */
  drift(id: ConversationId, options?: { readonly signal?: AbortSignal }): Promise<PromptDrift | null>;
  /**
   * The tasks that its calls have given away, newest first, each with what it and those below it came to; `spent` is the sum
   * of the page. A page may have fewer than `limit`, and others behind it.
   */
  tasks(id: ConversationId, page: PageQuery): Promise<Page<ConversationTask> & { readonly spent: Spent }>;
  /**
   * The tools of this epoch, and what there is at this moment: sources are asked, and may start what they need for the
   * answer; one that is late is left out and named.
   */
  tools(id: ConversationId, options: { readonly signal: AbortSignal }): Promise<ConversationTools>;
  /** The tools of this epoch that requests to the conversation's model do not name. No source is asked. */
  leftOutTools(id: ConversationId): Promise<readonly LeftOutTool[]>;
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
