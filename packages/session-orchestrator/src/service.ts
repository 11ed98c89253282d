import {
  conversationIdSchema,
  messageSchema,
  ServiceError,
  stepSchema,
  type ApprovalDecision,
  type ApprovalId,
  type Conversation,
  type ConversationId,
  type CreateConversationRequest,
  type CreateTurnRequest,
  type FollowOptions,
  type Message,
  type Page,
  type PageQuery,
  type QueuedTurn as QueuedTurnView,
  type SendOptions,
  type Step,
  type StepRequest,
  type TurnEvent,
  type TurnId,
} from "@incipit/service-contract";
import { KernelError, type StorageWrite } from "@incipit/kernel";
import { isAbsolute } from "node:path";
import * as z from "zod";
import { compact, type Compacted } from "./compaction.ts";
import { Approvals } from "./approvals.ts";
import type { OrchestratorContext } from "./context.ts";
import {
  conversationUnknown,
  LoadedConversation,
  readHistory,
  readPreviousStep,
  type QueuedTurn,
} from "./conversation.ts";
import { EventLog } from "./event-log.ts";
import { hostStops } from "./host-stops.ts";
import { IdempotentSends, type RecordSend, type SentTurn } from "./idempotent-sends.ts";
import { newConversationId, newTurnId } from "./ids.ts";
import type { ConversationHandOver } from "./hand-over.ts";
import { findModel } from "./models.ts";
import { toModelMessage } from "./model-messages.ts";
import { endInterruptedTurn } from "./recovery.ts";
import { partHashes } from "./step-audit.ts";
import {
  activeTurnSchema,
  keys,
  storedConversationSchema,
  type ActiveTurn,
  type StoredConversation,
  type TurnRequest,
} from "./stored.ts";
import { inputText, TurnRunner } from "./turn.ts";
import { waitUnlessAborted } from "./wait-unless-aborted.ts";
import { readWire } from "./wire-records.ts";

/** Conversations that are kept in memory while nothing happens in them. */
const maxIdle = 500;

/** How long running turns have to end when the host stops. */
const stopTimeoutMs = 2_500;

/** Between two tries to store the end of a turn. */
const endRetryMs = 1_000;

export class Conversations implements ConversationHandOver {
  readonly defaultModel: string;
  readonly defaultCwd: string;
  readonly #context: OrchestratorContext;
  /** Least recently used first. */
  readonly #loaded = new Map<string, Promise<LoadedConversation>>();
  readonly #stopping = new AbortController();
  /** How much runs or waits to run in each conversation where something does. */
  readonly #held = new Map<string, number>();
  #recovering: Promise<void> = Promise.resolve();
  #isDraining = false;

  constructor(context: OrchestratorContext) {
    this.#context = context;
    this.defaultModel = context.settings.defaultModel;
    this.defaultCwd = context.settings.defaultCwd;
  }

  /** Ends what a crash cut off, and lets what was queued run. */
  recover(): Promise<void> {
    return (this.#recovering = this.#recover());
  }

  async #recover(): Promise<void> {
    const { storage, log } = this.#context;
    const setAside = (key: string, error: Error): void =>
      log.error("A damaged record was left out", { key, error: error.message });
    const own = new Set(this.#held.keys()); // What is held already was not left by anybody else.
    let start = keys.active("");
    for (;;) {
      const active = await storage.list(
        { start, end: keys.active("~"), limit: 1_000, onInvalid: setAside },
        activeTurnSchema,
      );
      for (const { key, value } of active) {
        if (own.has(value.conversationId)) continue;
        try {
          const conversation = await this.#load(conversationIdSchema.parse(value.conversationId));
          if (value.state === "running") await endInterruptedTurn(this.#context, conversation, value.turnId);
          else this.#runLater(conversation, value);
        } catch (error) {
          log.error("A turn could not be recovered", {
            key,
            error: error instanceof Error ? error.message : String(error),
          });
        }
      }
      const last = active.at(-1);
      if (last === undefined) return;
      start = `${last.key} `;
    }
  }

  /** Running turns end as `interrupted`, followers get that and go; what is queued stays queued. */
  async stopAll(): Promise<void> {
    this.#stopping.abort();
    const loaded = await Promise.allSettled(this.#loaded.values()); // One that cannot be read has nothing to stop.
    const conversations = loaded.flatMap((entry) => (entry.status === "fulfilled" ? [entry.value] : []));
    for (const conversation of conversations) conversation.running?.stop.abort(hostStops);
    const recovered = this.#recovering.catch(() => undefined); // Whoever asked for it was told.
    const ended = Promise.all([recovered, ...conversations.map((conversation) => conversation.lastJob)]);
    await new Promise<void>((resolve) => {
      const cancel = this.#context.clock.setTimer(resolve, stopTimeoutMs);
      void ended.then(() => {
        cancel();
        resolve();
      });
    });
    for (const conversation of conversations) conversation.log.close();
  }

  holds(id: ConversationId): boolean {
    return this.#held.has(id);
  }

  /** Another generation takes up what this one does not hold: followers go over to it. */
  beginDraining(): void {
    this.#isDraining = true;
    for (const id of this.#loaded.keys()) if (!this.#held.has(id)) void this.#letGo(id);
  }

  async create(request: CreateConversationRequest): Promise<Conversation> {
    const { settings, clock, storage, providers } = this.#context;
    const profile =
      request.profile === undefined ? undefined : new Map(Object.entries(settings.profiles)).get(request.profile);
    if (request.profile !== undefined && profile === undefined) {
      const known =
        Object.keys(settings.profiles)
          .map((name) => `"${name}"`)
          .join(", ") || "none";
      throw new ServiceError(
        "PROFILE_UNKNOWN",
        `There is no profile "${request.profile}"; there are ${known}; add [profiles.${request.profile}] to the configuration`,
      );
    }
    const cwd = request.cwd ?? settings.defaultCwd;
    if (!isAbsolute(cwd))
      throw new ServiceError("CWD_INVALID", `Cannot use cwd "${cwd}": it is not absolute; write the whole path`);
    const model = request.model ?? profile?.model ?? settings.defaultModel;
    findModel(providers, model);
    const nowMs = clock.now();
    const createdAt = new Date(nowMs).toISOString();
    const record: StoredConversation = {
      id: newConversationId(nowMs),
      cwd,
      model,
      profile: request.profile ?? null,
      title: request.title ?? null,
      epoch: 1,
      createdAt,
      updatedAt: createdAt,
      lastSeq: 0,
    };
    await this.#stored(() => storage.set(keys.conversation(record.id), record));
    return (await this.#load(record.id)).view;
  }

  async get(id: ConversationId): Promise<Conversation> {
    return (await this.#load(id)).view;
  }

  async list({ cursor, limit }: PageQuery): Promise<Page<Conversation>> {
    const range = { start: keys.conversation(""), end: keys.conversation(cursor ?? "~"), reverse: true, limit };
    const damaged: string[] = [];
    const onInvalid = (key: string, error: Error): void => {
      damaged.push(key);
      this.#context.log.error("A damaged record was left out", { key, error: error.message });
    };
    const entries = await this.#stored(() =>
      this.#context.storage.list({ ...range, onInvalid }, storedConversationSchema),
    );
    const items = await Promise.all(
      entries.map(
        async ({ value }) =>
          (await this.#loaded.get(value.id))?.view ?? {
            ...value,
            lastSeq: await this.#stored(() => this.#lastSeq(value.id)),
            status: "idle" as const,
            approvals: [],
          },
      ),
    );
    const found = [...entries.map(({ key }) => key), ...damaged].toSorted(); // Ids are ASCII.
    const oldest = found[0];
    if (oldest === undefined || found.length < limit) return { items };
    return { items, nextCursor: oldest.slice(keys.conversation("").length) };
  }

  async messages(id: ConversationId, page: PageQuery): Promise<Page<Message>> {
    await this.#load(id);
    return this.#page(keys.messages(id), page, (range) => this.#context.storage.list(range, messageSchema));
  }

  async steps(id: ConversationId, page: PageQuery): Promise<Page<Step>> {
    await this.#load(id);
    return this.#page(keys.steps(id), page, (range) => this.#context.storage.list(range, stepSchema));
  }

  async stepRequest(id: ConversationId, stepId: string): Promise<StepRequest> {
    await this.#load(id);
    return this.#stored(() => readWire(this.#context.storage, id, stepId));
  }

  send(id: ConversationId, request: CreateTurnRequest, options: SendOptions = {}): Promise<SentTurn> {
    return this.#hold(id, () => this.#send(id, toTurnRequest(request), options));
  }

  async #send(id: ConversationId, request: TurnRequest, { idempotencyKey }: SendOptions): Promise<SentTurn> {
    if (this.#isStopping)
      throw new ServiceError("SERVICE_UNAVAILABLE", "The host is stopping; send it again once it has started");
    const conversation = await this.#load(id);
    if (idempotencyKey === undefined) return this.#accept(conversation, request);
    const accept = (record: RecordSend): Promise<SentTurn> => this.#accept(conversation, request, record);
    return this.#stored(() => conversation.idempotentSends.once(idempotencyKey, request, accept));
  }

  async #accept(conversation: LoadedConversation, request: TurnRequest, record?: RecordSend): Promise<SentTurn> {
    const { id } = conversation.record;
    findModel(this.#context.providers, request.model ?? conversation.record.model);
    const active: ActiveTurn = {
      conversationId: id,
      turnId: newTurnId(this.#context.clock.now()),
      state: "queued",
      request,
    };
    const sent = { turnId: active.turnId, afterSeq: conversation.log.lastSeq };
    const writes = record === undefined ? [] : [record(sent)];
    if (conversation.jobCount === 0) {
      const started = Promise.withResolvers<void>();
      void this.#hold(id, () =>
        conversation.enqueue(() => this.#runTurn(conversation, active, { started, writes })),
      );
      await started.promise;
    } else {
      const position = conversation.queue.length + 1;
      const event = {
        type: "turn-queue",
        turnId: active.turnId,
        input: inputText(active.request.input),
        position,
      } as const;
      this.#runLater(
        conversation,
        active,
        conversation.log.append(
          [event],
          [{ kind: "set", key: keys.active(active.turnId), value: active }, ...writes],
        ),
      );
      await conversation.queue.find((entry) => entry.active === active)?.stored;
    }
    return sent;
  }

  /** When the host stops, it ends behind what is stored: what cannot be read any more is no failure then. */
  async *follow(id: ConversationId, { afterSeq, turnId, signal }: FollowOptions): AsyncGenerator<TurnEvent> {
    try {
      const { log } = await this.#load(id);
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
    const { running } = await this.#load(id);
    if (running === undefined) return false;
    running.stop.abort();
    await running.ended;
    return true;
  }

  async answerApproval(
    id: ConversationId,
    approvalId: ApprovalId,
    { decision }: { readonly decision: ApprovalDecision },
  ): Promise<void> {
    const { approvals } = await this.#load(id);
    await this.#stored(() => approvals.answer(approvalId, decision));
  }

  async queue(id: ConversationId): Promise<readonly QueuedTurnView[]> {
    const { queue } = await this.#load(id);
    return queue
      .filter(({ isStored, removing }) => isStored && removing === undefined)
      .map(({ active }, index) => ({
        turnId: active.turnId,
        input: inputText(active.request.input),
        position: index + 1,
      }));
  }

  async removeQueued(id: ConversationId, turnId: TurnId): Promise<void> {
    const conversation = await this.#load(id);
    const entry = conversation.queue.find(({ active }) => active.turnId === turnId);
    if (entry?.isStored !== true || entry.removing !== undefined) {
      const message = `The turn "${turnId}" is not in the queue: it was never there, has begun, or was removed; POST /conversations/${id}/stop ends one that runs`;
      throw new ServiceError("TURN_NOT_QUEUED", message);
    }
    const end = { type: "turn-end", turnId, status: "cancelled" } as const;
    const removed = conversation.log.append([end], [{ kind: "delete", key: keys.active(turnId) }]);
    // Its turn may come meanwhile: it waits for this.
    entry.removing = removed.then(
      () => {
        leaveQueue(conversation, entry);
        return true;
      },
      () => {
        entry.removing = undefined; // Whoever asked is told; it keeps its place.
        return false;
      },
    );
    await this.#stored(() => removed);
    await entry.removing;
  }

  compact(id: ConversationId, { signal }: { readonly signal?: AbortSignal } = {}): Promise<Compacted> {
    return this.#hold(id, () => this.#compact(id, signal));
  }

  async #compact(id: ConversationId, signal: AbortSignal | undefined): Promise<Compacted> {
    const conversation = await this.#load(id);
    const stop = new AbortController();
    return conversation.enqueue(async () => {
      if (this.#isStopping)
        throw new ServiceError("SERVICE_UNAVAILABLE", "The host is stopping; compact it again once it has started");
      conversation.isCompacting = true;
      const ended = Promise.withResolvers<void>();
      conversation.running = { turnId: undefined, stop, ended: ended.promise };
      try {
        return await compact(
          this.#context,
          conversation,
          signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]),
        );
      } finally {
        conversation.isCompacting = false;
        conversation.running = undefined;
        ended.resolve();
      }
    });
  }

  #runLater(conversation: LoadedConversation, active: ActiveTurn, stored: Promise<void> = Promise.resolve()): void {
    const entry: QueuedTurn = { active, stored, isStored: false, removing: undefined };
    conversation.queue.push(entry);
    const acknowledged = stored.then(
      () => (entry.isStored = true),
      () => false, // The sender was told: there is nothing to run.
    );
    const job = async (): Promise<void> => {
      while (entry.removing !== undefined) if (await entry.removing) return;
      leaveQueue(conversation, entry); // In one step with the look before: it cannot be removed any more.
      if ((await acknowledged) && !this.#isStopping) await this.#runTurn(conversation, active);
    };
    void this.#hold(conversation.record.id, () => conversation.enqueue(job));
  }

  /** Keeps a conversation for this generation until the work is done, and a swap waiting for it. */
  #hold<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    this.#held.set(id, (this.#held.get(id) ?? 0) + 1);
    const held = work().finally(() => {
      const left = (this.#held.get(id) ?? 0) - 1;
      if (left > 0) this.#held.set(id, left);
      else {
        this.#held.delete(id);
        if (this.#isDraining) void this.#letGo(id);
      }
    });
    this.#context.waitUntil(held);
    return held;
  }

  /** Its followers get what is stored, and go. */
  async #letGo(id: string): Promise<void> {
    const conversation = await this.#loaded.get(id)?.catch(() => undefined);
    conversation?.log.close();
  }

  async #runTurn(
    conversation: LoadedConversation,
    active: ActiveTurn,
    {
      started,
      writes = [],
    }: { readonly started?: PromiseWithResolvers<void>; readonly writes?: readonly StorageWrite[] } = {},
  ): Promise<void> {
    const stop = new AbortController();
    const runner = new TurnRunner(this.#context, conversation, active, stop.signal);
    try {
      await runner.start(writes);
    } catch (error) {
      started?.reject(error);
      return;
    }
    const ended = Promise.withResolvers<void>();
    conversation.running = { turnId: active.turnId, stop, ended: ended.promise };
    started?.resolve();
    let isEndStored = true;
    try {
      if (this.#isStopping) stop.abort(hostStops);
      await runner.run();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#context.log.error("The end of a turn could not be stored; it is tried again", {
        turnId: active.turnId,
        error: message,
      });
      isEndStored = false;
    } finally {
      conversation.running = undefined;
      ended.resolve();
    }
    if (!isEndStored) await this.#endLater(conversation, active.turnId);
  }

  /** Tries until the end is stored; what is queued waits for that. When the host stops first, its next start does it. */
  async #endLater(conversation: LoadedConversation, turnId: TurnId): Promise<void> {
    const { clock, log } = this.#context;
    for (;;) {
      await waitUnlessAborted(endRetryMs, clock, this.#stopping.signal);
      if (this.#isStopping) return;
      try {
        await endInterruptedTurn(this.#context, conversation, turnId);
        return;
      } catch (error) {
        log.debug("The end of a turn could still not be stored", {
          turnId,
          error: error instanceof Error ? error.message : String(error),
        });
      }
    }
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  #load(id: ConversationId): Promise<LoadedConversation> {
    const known = this.#loaded.get(id);
    const loading = known ?? this.#read(id);
    this.#loaded.delete(id);
    this.#loaded.set(id, loading);
    if (known === undefined) {
      loading.catch(() => this.#loaded.delete(id));
      void this.#evict();
    }
    return loading;
  }

  async #evict(): Promise<void> {
    for (const [id, loading] of this.#loaded) {
      if (this.#loaded.size <= maxIdle) return;
      const conversation = await loading.catch(() => undefined);
      if (conversation?.isIdle === true) this.#loaded.delete(id);
    }
  }

  async #read(id: ConversationId): Promise<LoadedConversation> {
    const { storage, clock } = this.#context;
    return this.#stored(async () => {
      const record = await storage.get(keys.conversation(id), storedConversationSchema);
      if (record === undefined) throw conversationUnknown(id);
      const lastSeq = await this.#lastSeq(id);
      const { messages, count } = await readHistory(storage, record);
      const history = messages.map(toModelMessage);
      const hashMessages = (): ReturnType<typeof partHashes> =>
        partHashes({ tools: [], systemPrompt: [], messages: history }).slice(2);
      const { hasSteps, previousStep } = await readPreviousStep(storage, record, hashMessages);
      const log = new EventLog({ conversationId: id, storage, clock, lastSeq });
      // Nothing comes any more, and nobody would tell its followers.
      if (this.#isStopping || (this.#isDraining && !this.#held.has(id))) log.close();
      const approvals = new Approvals({ conversationId: id, storage, clock, log });
      const idempotentSends = new IdempotentSends({ conversationId: id, storage });
      return new LoadedConversation({
        record,
        log,
        approvals,
        idempotentSends,
        history,
        messageCount: count,
        hasSteps,
        previousStep,
      });
    });
  }

  async #lastSeq(id: string): Promise<number> {
    // The key tells it: a damaged event must not keep its conversation from being listed, or its number be given again.
    const prefix = keys.events(id);
    const newest = await this.#context.storage.list({ prefix, reverse: true, limit: 1 }, z.unknown());
    return newest[0] === undefined ? 0 : Number(newest[0].key.slice(prefix.length));
  }

  async #page<Item>(
    prefix: string,
    { cursor, limit }: PageQuery,
    list: (range: {
      readonly start: string;
      readonly end: string;
      readonly limit: number;
    }) => Promise<readonly { readonly key: string; readonly value: Item }[]>,
  ): Promise<Page<Item>> {
    // The cursor is the end of the last key; a NUL cannot stand in a key, a space sorts before all that can follow.
    const start = cursor === undefined ? prefix : `${prefix}${cursor} `;
    const entries = await this.#stored(() => list({ start, end: `${prefix}~`, limit }));
    const items = entries.map(({ value }) => value);
    const last = entries.at(-1);
    return last === undefined || entries.length < limit
      ? { items }
      : { items, nextCursor: last.key.slice(prefix.length) };
  }

  /** Storage's own failures, in the words of the service. */
  async #stored<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw toServiceError(error);
    }
  }
}

function leaveQueue({ queue }: LoadedConversation, entry: QueuedTurn): void {
  queue.splice(queue.indexOf(entry), 1);
}

function toServiceError(error: unknown): ServiceError {
  if (ServiceError.is(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (KernelError.is(error)) {
    const isDamage = error.code === "STORED_VALUE_INVALID";
    return new ServiceError(isDamage ? "STORED_DATA_DAMAGED" : "SERVICE_UNAVAILABLE", message, { cause: error });
  }
  return new ServiceError("STORAGE_FAILED", message, { cause: error });
}

function toTurnRequest({ input, model, system, systemMode }: CreateTurnRequest): TurnRequest {
  return {
    input,
    ...(model === undefined ? {} : { model }),
    ...(system === undefined ? {} : { system: typeof system === "string" ? [system] : system }),
    ...(systemMode === undefined ? {} : { systemMode }),
  };
}
