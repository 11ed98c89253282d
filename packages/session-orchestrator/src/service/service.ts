import { LinkedSignal } from "@incipit/kernel";
import {
  type AllowedCalls,
  type ApprovalId,
  type QuestionId,
  type Conversation,
  type ConversationId,
  type ConversationTools,
  type OmittedTool,
  type CreateConversationRequest,
  type ExportLine,
  type FileChanges,
  type FileChangesQuery,
  type ForkConversationRequest,
  type Message,
  type MessageFile,
  type PageQuery,
  type PromptDrift,
  type QueuedTurn,
  type RebuildOutcome,
  type RebuildPromptRequest,
  type RestoredFiles,
  type ReplaceMessageFileRequest,
  type RestoreFilesRequest,
  type SearchResult,
  type TurnEvent,
  type TurnId,
  type UpdateConversationRequest,
  conversationIdSchema,
} from "@incipit/schema";
import {
  ServiceError,
  type ApprovalAnswer,
  type CreateOptions,
  type FollowOptions,
  type GivenAnswer,
  type ListQuery,
  type Page,
  type SearchQuery,
  type SendOptions,
  type SentMessage,
} from "@incipit/service-contract";
import { compact } from "../compaction/compact.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { type LoadedConversation, assertNotDeleted } from "../conversation/loaded-conversation.ts";
import { indexWrites } from "../conversations/filter-index.ts";
import { ConversationDeletions } from "../conversations/conversation-deletions.ts";
import { conversationTools, storedTools, leftOutToolsOf } from "../conversation/epoch-tools.ts";
import { forkConversation } from "../transfer/fork-conversation.ts";
import type { ConversationHandoff } from "./handoff.ts";
import { BusyConversations, TurnJobs } from "../turn/turn-jobs.ts";
import { hostStops, settle } from "../waits/settle.ts";
import type { RecordSend, SentTurn } from "../conversation/idempotent-sends.ts";
import { listConversations } from "../conversations/list-conversations.ts";
import { LoadedConversations } from "../conversations/loaded-conversations.ts";
import { listTasks, type TasksPage } from "../conversations/list-tasks.ts";
import { newTask, newConversation } from "../conversations/new-conversation.ts";
import { OrderedIds } from "../store/ids.ts";
import { idempotentContent, toTurnRequest } from "../conversation/to-turn-request.ts";
import { systemMessageWrites, promptAgent, rebuildPrompt } from "../prompt/prompt-for-turn.ts";
import { listFileChanges } from "../undo/list-file-changes.ts";
import { messageFiles, removeMessageFile } from "../conversation/message-files.ts";
import { restoreFiles } from "../undo/restore-files.ts";
import { promptDrift } from "../prompt/prompt-drift.ts";
import { searchConversations } from "../search/search-conversations.ts";
import { withServiceErrors, toServiceError } from "../failures/service-errors.ts";
import { keys, type TurnRequest } from "../store/stored.ts";
import { Retention } from "../conversations/retention.ts";
import { recoverTurns } from "../conversations/recover-turns.ts";
import { updateConversation } from "../conversations/update-conversation.ts";
import { UnfinishedConversations } from "../conversations/unfinished-conversations.ts";
import { allowedCalls, revokeApproval } from "../tools/call-grants.ts";
import type { ApprovalEnd } from "../tools/approvals.ts";

const stopTimeoutMs = 2_500;

export class Conversations implements ConversationHandoff {
  readonly #context: OrchestratorContext;
  readonly #loaded: LoadedConversations;
  readonly #held: BusyConversations;
  readonly #jobs: TurnJobs;
  readonly #unfinished: UnfinishedConversations;
  readonly #deletions: ConversationDeletions;
  readonly #ids: OrderedIds;
  #newestKnown: Promise<void> | undefined;
  readonly #stopping = new AbortController();
  #recovering: Promise<void> = Promise.resolve();
  #isDraining = false;

  constructor(context: OrchestratorContext) {
    this.#context = context;
    this.#ids = new OrderedIds(context.clock);
    this.#unfinished = new UnfinishedConversations(context.storage);
    this.#held = new BusyConversations({
      waitUntil: context.waitUntil,
      onRest: (id) => {
        if (this.#isDraining) void this.#letGo(id);
      },
    });
    this.#loaded = new LoadedConversations(context, {
      isOver: (id) => this.#isStopping || (this.#isDraining && !this.#held.has(id)),
      isBusy: (id) => this.#held.has(id),
    });
    const stopping = this.#stopping.signal;
    this.#jobs = new TurnJobs(context, { held: this.#held, stopping });
    this.#deletions = new ConversationDeletions(context, {
      loaded: this.#loaded,
      jobs: this.#jobs,
      held: this.#held,
      stopping,
    });
  }

  /** After a start, queued turns may require confirmation. */
  recover({ isStart }: { readonly isStart: boolean }): Promise<void> {
    const own = this.#held.ids;
    const recover = async (): Promise<void> => {
      await this.#deletions.finishAll(own);
      await this.#unfinished.discardLeft();
      await recoverTurns(this.#context, { loaded: this.#loaded, jobs: this.#jobs, own, isStart });
    };
    return (this.#recovering = recover());
  }

  async limitRecords({ isAlone }: { readonly isAlone: () => boolean }): Promise<void> {
    const signal = this.#stopping.signal;
    await new Retention(this.#context, {
      loaded: this.#loaded,
      held: this.#held,
      signal,
      isAlone: () => !this.#isDraining && isAlone(),
    }).start();
  }

  /** Ends running turns as `interrupted`; queued turns stay queued. */
  async stopAll(): Promise<void> {
    this.#stopping.abort();
    const conversations = await this.#loaded.all(); // An unreadable conversation has no running work.
    for (const conversation of conversations) void conversation.work.stop(hostStops);
    const recovered = this.#recovering.catch(() => undefined); // The caller of `recover` handles the error.
    const ended = Promise.all([recovered, ...conversations.map(({ work }) => work.ended())]);
    await settle(ended, { timeoutMs: stopTimeoutMs, clock: this.#context.clock });
    for (const conversation of conversations) conversation.log.close();
  }

  holds(id: string): boolean {
    return this.#held.has(id);
  }

  /** Never rejects. */
  async settled(): Promise<void> {
    await this.#recovering.catch(() => undefined);
  }

  beginDraining(): void {
    this.#isDraining = true;
    for (const id of this.#loaded.ids) if (!this.#held.has(id)) void this.#letGo(id);
  }

  async create(
    request: CreateConversationRequest,
    { join, parent, signal }: CreateOptions = {},
  ): Promise<Conversation> {
    await this.#followNewest();
    const id = this.#ids.next(conversationIdSchema);
    if (parent !== undefined) {
      const caller = await this.#loaded.load(parent.conversationId);
      await withServiceErrors(() =>
        newTask(this.#context, caller, { parent, request: { ...request, id }, join, signal }),
      );
      return this.get(id);
    }
    const record = await newConversation(this.#context, { ...request, id });
    const write = { kind: "set", key: keys.conversation(record.id), value: record } as const;
    const texts = await systemMessageWrites(this.#context, record.id, request);
    const joined = { join: [...texts, ...(join === undefined ? [] : [join(record.id)])] };
    await withServiceErrors(() => this.#context.storage.atomic([], [write, ...indexWrites(record)], joined));
    return this.get(record.id);
  }

  async get(id: ConversationId): Promise<Conversation> {
    return (await this.#loaded.load(id)).view;
  }

  update(id: ConversationId, request: UpdateConversationRequest): Promise<Conversation> {
    // Held, so that a successor does not load the record during the update.
    return this.#held.hold(id, async () => updateConversation(this.#context, await this.#loaded.load(id), request));
  }

  delete(id: ConversationId): Promise<void> {
    return this.#held.hold(id, async () => {
      await this.#recovering.catch(() => undefined); // The caller of `recover` handles the error.
      this.#assertNotStopping("delete");
      await this.#deletions.delete(id);
    });
  }

  list(query: ListQuery): Promise<Page<Conversation>> {
    return listConversations(this.#context, this.#loaded, query);
  }

  search(query: SearchQuery): Promise<Page<SearchResult>> {
    return searchConversations(this.#context, this.#loaded, query);
  }

  async fork(id: ConversationId, request: ForkConversationRequest): Promise<Conversation> {
    const conversation = await this.#loaded.load(id);
    assertNotDeleted(conversation);
    await this.#followNewest();
    const forkId = this.#ids.next(conversationIdSchema);
    await withServiceErrors(() => forkConversation(this.#context, conversation, { ...request, id: forkId }));
    return this.get(forkId);
  }

  async *exportLines(id: ConversationId): AsyncGenerator<ExportLine> {
    const conversation = await this.#loaded.load(id);
    try {
      const { exportConversation } = await import("../transfer/export-conversation.ts");
      yield* exportConversation(this.#context, conversation);
    } catch (error) {
      throw toServiceError(error);
    }
  }

  async importLines(lines: AsyncIterable<ExportLine>): Promise<Conversation> {
    const { importConversation } = await import("../transfer/import-conversation.ts");
    const id = await withServiceErrors(() => importConversation(this.#context, this.#unfinished, lines));
    this.#ids.follow(id);
    return this.get(id);
  }

  async tasks(id: ConversationId, page: PageQuery): Promise<TasksPage> {
    return this.#with(id, () => listTasks(this.#context, { parentId: id, loaded: this.#loaded }, page));
  }

  async tools(id: ConversationId, { signal }: { readonly signal: AbortSignal }): Promise<ConversationTools> {
    return this.#with(id, (conversation) => conversationTools(this.#context, conversation, signal));
  }

  async leftOutTools(id: ConversationId): Promise<readonly OmittedTool[]> {
    return this.#with(id, async (conversation) => {
      const { tools } = (await storedTools(conversation)) ?? { tools: [] };
      return leftOutToolsOf(this.#context, { model: conversation.record.model, tools });
    });
  }

  send(id: ConversationId, request: SentMessage, options: SendOptions = {}): Promise<SentTurn> {
    return this.#held.hold(id, () => this.#send(id, request, { ...options, allow: [] }));
  }

  sendAllowing(
    id: ConversationId,
    request: SentMessage,
    options: SendOptions & { readonly allow: readonly string[] },
  ): Promise<SentTurn> {
    return this.#held.hold(id, () => this.#send(id, request, options));
  }

  async #send(
    id: ConversationId,
    given: SentMessage,
    {
      idempotencyKey,
      join,
      allow,
      isUnattended = false,
      signal,
    }: SendOptions & { readonly allow: readonly string[] },
  ): Promise<SentTurn> {
    this.#assertNotStopping("send");
    const conversation = await this.#loaded.load(id);
    assertNotDeleted(conversation);
    const accept = async (record?: RecordSend): Promise<SentTurn> => {
      using stop = new LinkedSignal(signal, this.#stopping.signal);
      const said = await toTurnRequest(this.#context, conversation.record, given, { allow, signal: stop.signal });
      const asked = { ...said, input: await this.#context.files.input(said.input) };
      const request: TurnRequest = isUnattended ? { ...asked, isUnattended } : asked;
      await this.#assertTrusted(conversation, request);
      return this.#jobs.accept(conversation, request, { record, join });
    };
    if (idempotencyKey === undefined) return accept();
    return withServiceErrors(() =>
      conversation.idempotentSends.once(idempotencyKey, idempotentContent(given, allow), accept),
    );
  }

  /** Fails before anything is stored. */
  async #assertTrusted(
    { record, hasSteps }: LoadedConversation,
    { model = record.model }: TurnRequest,
  ): Promise<void> {
    const { systemPrompt, defaults } = this.#context;
    if (hasSteps && defaults.promptRefresh !== "turn") return;
    const { id, cwd } = record;
    await systemPrompt.current?.assertTrusted(id, cwd, { model, ...promptAgent(record) });
  }

  /** Ends without an error when the host stops. */
  async *follow(id: ConversationId, { afterSeq, turnId, signal }: FollowOptions): AsyncGenerator<TurnEvent> {
    try {
      const { log } = await this.#loaded.load(id);
      const { lastSeq } = log;
      if (afterSeq !== undefined && afterSeq > lastSeq) {
        throw new ServiceError(
          "INVALID_EVENT_ID",
          `Cannot follow after event ${afterSeq}: the newest event is ${lastSeq}`,
        );
      }
      yield* log.follow(afterSeq ?? lastSeq, {
        ...(turnId === undefined ? {} : { turnId }),
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (error) {
      if (!this.#isStopping) throw toServiceError(error);
    }
  }

  async stop(id: ConversationId): Promise<boolean> {
    const { work } = await this.#loaded.load(id);
    return work.stop();
  }

  async answerApproval(
    id: ConversationId,
    approvalId: ApprovalId,
    { decision, scope, isForFolder, isUnattended = false }: ApprovalAnswer,
  ): Promise<void> {
    const end: ApprovalEnd = isUnattended
      ? { decision: "deny", reason: "unattended" }
      : { decision, reason: "answered" };
    const scoped = { scope, isForFolder: isForFolder === true };
    await this.#with(id, ({ approvals }) => approvals.answer(approvalId, end, scoped));
  }

  async allowedCalls(id: ConversationId): Promise<readonly AllowedCalls[]> {
    return this.#with(id, () => allowedCalls(this.#context.storage, id));
  }

  async takeBackAllowed(id: ConversationId, approvalId: ApprovalId): Promise<void> {
    await this.#with(id, () => revokeApproval(this.#context.storage, id, approvalId));
  }

  async answerQuestion(id: ConversationId, questionId: QuestionId, answer: GivenAnswer): Promise<void> {
    await this.#with(id, ({ questions }) => questions.answer(questionId, answer));
  }

  async queue(id: ConversationId): Promise<readonly QueuedTurn[]> {
    return this.#jobs.queued(await this.#loaded.load(id));
  }

  async removeQueued(id: ConversationId, turnId: TurnId): Promise<void> {
    await this.#jobs.remove(await this.#loaded.load(id), turnId);
  }

  async resume(id: ConversationId): Promise<number> {
    return this.#held.hold(id, async () => {
      const conversation = await this.#loaded.load(id);
      assertNotDeleted(conversation);
      return withServiceErrors(() => this.#jobs.resume(conversation));
    });
  }

  async compact(
    id: ConversationId,
    options: { readonly signal?: AbortSignal; readonly instructions?: string } = {},
  ): Promise<{ readonly conversation: Conversation; readonly summary: Message }> {
    const summary = await this.#held.hold(id, () => this.#compact(id, options));
    return { conversation: await this.get(id), summary };
  }

  async #compact(
    id: ConversationId,
    { signal, instructions }: { readonly signal?: AbortSignal; readonly instructions?: string },
  ): Promise<Message> {
    const conversation = await this.#loaded.load(id);
    const stop = new AbortController();
    return conversation.work.enqueue(async () => {
      this.#assertNotStopping("compact");
      assertNotDeleted(conversation);
      const { model } = conversation.record;
      using either = new LinkedSignal(signal, stop.signal);
      return await conversation.work.run({ turnId: undefined, stop }, () =>
        compact(this.#context, conversation, {
          model,
          signal: either.signal,
          ...(instructions === undefined ? {} : { instructions }),
        }),
      );
    });
  }

  /** Keeps ids increasing when the clock has moved backwards. */
  #followNewest(): Promise<void> {
    return (this.#newestKnown ??= (async () => {
      const newest = await listConversations(this.#context, this.#loaded, { limit: 1, archived: "all" });
      for (const { id } of newest.items) this.#ids.follow(id);
    })().catch((error: unknown) => {
      this.#newestKnown = undefined;
      throw error;
    }));
  }

  /** Runs between turns; new messages wait for it. */
  rebuild(
    id: ConversationId,
    request: RebuildPromptRequest,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<RebuildOutcome> {
    return this.#whileIdle(id, { action: "rebuild", what: "rebuild the prompt", signal }, (conversation, stop) =>
      rebuildPrompt(this.#context, conversation, { ...request, signal: stop }),
    );
  }

  async fileChanges(
    id: ConversationId,
    query: FileChangesQuery,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<FileChanges> {
    return this.#with(id, () => listFileChanges(this.#context, { id, ...query }, signal));
  }

  restoreFiles(
    id: ConversationId,
    request: RestoreFilesRequest,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<RestoredFiles> {
    return this.#whileIdle(id, { action: "undo", what: "put files back", signal }, (conversation, stop) =>
      restoreFiles(this.#context, conversation, { ...request, signal: stop }),
    );
  }

  async messageFiles(id: ConversationId): Promise<readonly MessageFile[]> {
    return this.#with(id, ({ record }) => messageFiles(this.#context, record));
  }

  removeMessageFile(
    id: ConversationId,
    fileId: string,
    replacement?: ReplaceMessageFileRequest,
  ): Promise<readonly MessageFile[]> {
    return this.#whileIdle(id, { action: "remove the file", what: "remove a file" }, (conversation) =>
      removeMessageFile(this.#context, conversation, { fileId, replacement }),
    );
  }

  async #with<Result>(
    id: ConversationId,
    work: (conversation: LoadedConversation) => Promise<Result>,
  ): Promise<Result> {
    const conversation = await this.#loaded.load(id);
    return withServiceErrors(() => work(conversation));
  }

  /** @throws {ServiceError} `CONVERSATION_BUSY` while something runs in it. */
  #whileIdle<Result>(
    id: ConversationId,
    {
      action,
      what,
      signal,
    }: { readonly action: string; readonly what: string; readonly signal?: AbortSignal | undefined },
    work: (conversation: LoadedConversation, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    return this.#held.hold(id, async () => {
      this.#assertNotStopping(action);
      const conversation = await this.#loaded.load(id);
      assertNotDeleted(conversation);
      if (!conversation.work.isIdle) {
        const message = `Cannot ${what} while something runs in conversation "${id}"; wait for its end, or stop it`;
        throw new ServiceError("CONVERSATION_BUSY", message, { next: { action: "stop", conversationId: id } });
      }
      return conversation.work.enqueue(async () => {
        using stop = new LinkedSignal(signal, this.#stopping.signal);
        return await withServiceErrors(() => work(conversation, stop.signal));
      });
    });
  }

  async drift(id: ConversationId, { signal }: { readonly signal?: AbortSignal } = {}): Promise<PromptDrift | null> {
    const conversation = await this.#loaded.load(id);
    using stop = new LinkedSignal(signal, this.#stopping.signal);
    return await withServiceErrors(() => promptDrift(this.#context, conversation, { signal: stop.signal }));
  }

  async #letGo(id: string): Promise<void> {
    (await this.#loaded.known(id))?.log.close();
  }

  #assertNotStopping(action: string): void {
    if (!this.#isStopping) return;
    const message = `The host is stopping; ${action} it again once it has started`;
    throw new ServiceError("SERVICE_UNAVAILABLE", message);
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }
}
