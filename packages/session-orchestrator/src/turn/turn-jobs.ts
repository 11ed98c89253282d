import { errorMessage, waitUnlessAborted, type StorageBatch, type StorageWrite } from "@incipit/kernel";
import { inputText, type QueuedTurn as QueuedTurnView, type TurnId, turnIdSchema } from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { assertNotDeleted, type LoadedConversation, type QueuedTurn } from "../conversation/loaded-conversation.ts";
import { hostStops } from "../waits/settle.ts";
import type { RecordSend, SentTurn } from "../conversation/idempotent-sends.ts";
import { findModel } from "../models/find-model.ts";
import { finishInterruptedTurn } from "./recovery.ts";
import { withServiceErrors } from "../failures/service-errors.ts";
import { keys, type ActiveTurn, type TurnRequest } from "../store/stored.ts";
import { TurnRunner, type JoinedWrites } from "./turn-runner.ts";

/** For storing the start or end of an acknowledged turn; doubles up to the limit. */
const retryMs = 1_000;
const longestRetryMs = 30_000;

/** One turn at a time per conversation, others queued. */
export class TurnJobs {
  readonly #context: OrchestratorContext;
  readonly #held: BusyConversations;
  readonly #stopping: AbortSignal;

  constructor(
    context: OrchestratorContext,
    { held, stopping }: { readonly held: BusyConversations; readonly stopping: AbortSignal },
  ) {
    this.#context = context;
    this.#held = held;
    this.#stopping = stopping;
  }

  /** Resolves once the turn has started or is queued, in one commit with the writes of `record` and `join`. */
  async accept(
    conversation: LoadedConversation,
    request: TurnRequest,
    {
      record,
      join,
    }: { readonly record: RecordSend | undefined; readonly join: ((sent: SentTurn) => StorageBatch) | undefined },
  ): Promise<SentTurn> {
    const { id } = conversation.record;
    await this.#assertModel(request.model ?? conversation.record.model);
    assertNotDeleted(conversation);
    const resumed = this.resume(conversation); // A new message also resumes earlier waiting turns.
    const turnId = conversation.ids.next(turnIdSchema);
    const active: ActiveTurn = { conversationId: id, turnId, state: "queued", request };
    const sent = { turnId, afterSeq: conversation.log.lastSeq };
    const beside = {
      writes: record === undefined ? [] : [record(sent)],
      join: join === undefined ? [] : [join(sent)],
    };
    if (conversation.work.isIdle) {
      const started = Promise.withResolvers<void>();
      const job = (): Promise<boolean> => this.#run(conversation, active, { started, beside });
      void this.#held.hold(id, () => conversation.work.enqueue(job));
      await started.promise;
      return sent;
    }
    const position = conversation.queue.length + 1;
    const event = { type: "turn-queue", turnId, input: inputText(request.input), position } as const;
    const write = { kind: "set", key: keys.active(turnId), value: active } as const;
    const stored = conversation.log.append([event], [write, ...beside.writes], beside.join);
    this.runLater(conversation, active, stored);
    await Promise.all([resumed, stored]);
    return sent;
  }

  /** The turn does not run if storing fails or it is removed first. */
  runLater(conversation: LoadedConversation, active: ActiveTurn, stored: Promise<void> = Promise.resolve()): void {
    const entry: QueuedTurn = { active, isStored: false, isWaiting: false, removing: undefined };
    conversation.queue.push(entry);
    this.#runInTurn(conversation, entry, {
      stored: stored.then(() => void (entry.isStored = true)),
      onUnstored: () => leaveQueue(conversation, entry), // The sender received the error.
    });
  }

  /**
   * Until `resume`, across restarts.
   *
   * @throws {ServiceError} `STORAGE_FAILED`.
   */
  async letWait(conversation: LoadedConversation, active: ActiveTurn): Promise<void> {
    const { conversationId, turnId } = active;
    await conversation.log.append(
      [],
      [
        { kind: "delete", key: keys.active(turnId) },
        { kind: "set", key: keys.waiting(conversationId, turnId), value: active },
      ],
    );
    conversation.keepWaiting(active);
  }

  /**
   * Returns the number of started turns.
   *
   * @throws {ServiceError} `STORAGE_FAILED`; they keep waiting then.
   */
  async resume(conversation: LoadedConversation): Promise<number> {
    const waiting = conversation.queue.filter(({ isWaiting, removing }) => isWaiting && removing === undefined);
    if (waiting.length === 0) return 0;
    const writes = waiting.flatMap(({ active }): readonly StorageWrite[] => [
      { kind: "delete", key: keys.waiting(active.conversationId, active.turnId) },
      { kind: "set", key: keys.active(active.turnId), value: active },
    ]);
    const stored = conversation.log.append([], writes);
    for (const entry of waiting) {
      entry.isWaiting = false; // Synchronously: prevents a second resume, and orders later messages behind it.
      this.#runInTurn(conversation, entry, { stored, onUnstored: () => (entry.isWaiting = true) });
    }
    await stored;
    return waiting.length;
  }

  queued({ queue }: LoadedConversation): readonly QueuedTurnView[] {
    return queue
      .filter(({ isStored, removing }) => isStored && removing === undefined)
      .map(({ active }, index) => ({
        turnId: active.turnId,
        input: inputText(active.request.input),
        position: index + 1,
      }));
  }

  /** @throws {ServiceError} `TURN_NOT_QUEUED`, `STORAGE_FAILED`; the turn then keeps its position. */
  async remove(conversation: LoadedConversation, turnId: TurnId): Promise<void> {
    const entry = conversation.queue.find(({ active }) => active.turnId === turnId);
    if (entry?.isStored !== true || entry.removing !== undefined) {
      const message = `The turn "${turnId}" is not in the queue: it was never queued, has started, or was removed`;
      const next = { action: "stop", conversationId: conversation.record.id } as const;
      throw new ServiceError("TURN_NOT_QUEUED", message, { next });
    }
    const end = { type: "turn-end", turnId, status: "cancelled" } as const;
    const key = entry.isWaiting ? keys.waiting(conversation.record.id, turnId) : keys.active(turnId);
    const removed = conversation.log.append([end], [{ kind: "delete", key }]);
    // The turn waits for this if it would start in the meantime.
    entry.removing = removed.then(
      () => {
        leaveQueue(conversation, entry);
        return true;
      },
      () => {
        entry.removing = undefined; // The caller receives the error; the turn keeps its position.
        return false;
      },
    );
    await withServiceErrors(() => removed);
    await entry.removing;
  }

  async endAll(conversation: LoadedConversation): Promise<void> {
    const queued = conversation.queue.filter(({ isStored, removing }) => isStored && removing === undefined);
    // A turn whose cancellation fails to store ends when it would start.
    const removed = Promise.allSettled(queued.map(({ active }) => this.remove(conversation, active.turnId)));
    void conversation.work.stop();
    await removed;
    while (!conversation.work.isIdle) await conversation.work.ended();
  }

  /** Ignores storage errors, because the conversation is being deleted. */
  async #cancel({ log }: LoadedConversation, { turnId }: ActiveTurn): Promise<void> {
    const end = { type: "turn-end", turnId, status: "cancelled" } as const;
    await log.append([end], [{ kind: "delete", key: keys.active(turnId) }]).catch(() => undefined);
  }

  #runInTurn(
    conversation: LoadedConversation,
    entry: QueuedTurn,
    { stored, onUnstored }: { readonly stored: Promise<void>; readonly onUnstored: () => void },
  ): void {
    const acknowledged = stored.then(
      () => true,
      () => {
        onUnstored();
        return false;
      },
    );
    const job = async (): Promise<void> => {
      await this.#context.start.wait(this.#stopping); // Removable until it can run.
      if (!(await acknowledged)) return;
      for (let tries = 0; ; tries += 1) {
        while (entry.removing !== undefined) if (await entry.removing) return;
        leaveQueue(conversation, entry); // Synchronous with the check above: the turn can no longer be removed.
        if (conversation.work.isClosed) return this.#cancel(conversation, entry.active);
        if (this.#stopping.aborted || (await this.#run(conversation, entry.active))) return;
        conversation.queue.unshift(entry); // Acknowledged, so retried until its start can be stored.
        await waitUnlessAborted(waitBefore(tries), this.#context.clock, this.#stopping);
      }
    };
    void this.#held.hold(conversation.record.id, () => conversation.work.enqueue(job));
  }

  /** Waits for the host's start before failing. @throws {ServiceError} `MODEL_UNKNOWN`. */
  async #assertModel(model: string): Promise<void> {
    const { providers, start } = this.#context;
    try {
      findModel(providers, model);
    } catch {
      await start.wait(this.#stopping);
      findModel(providers, model);
    }
  }

  async #run(
    conversation: LoadedConversation,
    active: ActiveTurn,
    {
      started,
      beside = { writes: [], join: [] },
    }: { readonly started?: PromiseWithResolvers<void>; readonly beside?: JoinedWrites } = {},
  ): Promise<boolean> {
    const stop = new AbortController();
    const runner = new TurnRunner(this.#context, conversation, active, stop.signal);
    let shown: Promise<void>;
    try {
      ({ shown } = await runner.start(beside));
    } catch (error) {
      if (started === undefined)
        this.#context.log.error("Cannot store the start of a turn; retrying", {
          turnId: active.turnId,
          error: errorMessage(error),
        });
      started?.reject(error);
      return false;
    }
    const ended = conversation.work.run({ turnId: active.turnId, stop }, () => {
      if (this.#stopping.aborted) stop.abort(hostStops);
      if (conversation.work.isClosed) stop.abort();
      return runner.run();
    });
    shown.then(started?.resolve, (error: unknown) => {
      stop.abort();
      started?.reject(error);
    });
    try {
      await ended;
    } catch (error) {
      const { turnId } = active;
      const message = "Cannot store the end of a turn; retrying";
      this.#context.log.error(message, { turnId, error: errorMessage(error) });
      await this.#endLater(conversation, turnId);
    }
    return true;
  }

  /** Blocks the queue until the end is stored. After a host stop, the next start recovers the turn. */
  async #endLater(conversation: LoadedConversation, turnId: TurnId): Promise<void> {
    const { clock, log } = this.#context;
    for (let tries = 0; ; tries += 1) {
      await waitUnlessAborted(waitBefore(tries), clock, this.#stopping);
      if (this.#stopping.aborted) return;
      try {
        await finishInterruptedTurn(this.#context, conversation, turnId);
        return;
      } catch (error) {
        log.debug("The end of a turn could still not be stored", {
          turnId,
          error: errorMessage(error),
        });
      }
    }
  }
}

function waitBefore(tries: number): number {
  return Math.min(retryMs * 2 ** tries, longestRetryMs);
}

function leaveQueue({ queue }: LoadedConversation, entry: QueuedTurn): void {
  queue.splice(queue.indexOf(entry), 1);
}

interface BusyConversationsOptions {
  /** A swap waits for this work. */
  readonly waitUntil: (work: Promise<unknown>) => void;
  readonly onRest: (id: string) => void;
}

/** A draining generation keeps them until they are idle. */
export class BusyConversations {
  readonly #options: BusyConversationsOptions;
  readonly #counts = new Map<string, number>();

  constructor(options: BusyConversationsOptions) {
    this.#options = options;
  }

  has(id: string): boolean {
    return this.#counts.has(id);
  }

  get ids(): ReadonlySet<string> {
    return new Set(this.#counts.keys());
  }

  /** Delays a swap until the work is done. */
  hold<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1);
    const held = work().finally(() => {
      const left = (this.#counts.get(id) ?? 0) - 1;
      if (left > 0) this.#counts.set(id, left);
      else {
        this.#counts.delete(id);
        this.#options.onRest(id);
      }
    });
    this.#options.waitUntil(held);
    return held;
  }
}
