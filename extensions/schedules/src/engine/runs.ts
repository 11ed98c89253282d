import { errorMessage, waitUnlessAborted, type StorageBatch, type StorageWrite } from "@incipit/kernel";
import {
  addSpent,
  nothingSpent,
  type ConversationId,
  type Failure,
  type Spent,
  spentOfCall,
  type TurnId,
} from "@incipit/schema";
import {
  codeOf,
  failedTurn,
  followTurn,
  type TurnOutcome,
  isTransient,
  type ConversationRecordsService,
} from "@incipit/service-contract";
import type { DayLimit } from "../budget/budget.ts";
import { agentSpendingId } from "../budget/spending-ledger.ts";
import { notifyChat } from "../turn/notify-chat.ts";
import { sendMessage } from "../turn/send-message.ts";
import type { EngineContext } from "./engine-context.ts";
import type { ScheduleStore } from "./schedule-store.ts";
import { keys, storedNothingSchema, storedReferenceSchema, storedRunSchema, type StoredRun } from "./stored.ts";

const retryMs = 30_000;
const longestRetryMs = 3_600_000;

export class Runs {
  readonly #context: EngineContext;
  readonly #store: ScheduleStore;
  readonly #waiting: string[] = [];
  readonly #known = new Set<string>();
  readonly #sending = new Map<string, Promise<StoredRun>>();
  #active = 0;

  constructor(context: EngineContext, store: ScheduleStore) {
    this.#context = context;
    this.#store = store;
  }

  async resume(): Promise<void> {
    const { storage } = this.#context;
    for await (const { key } of storage.entries(keys.prefixes.open, storedNothingSchema))
      this.add(key.slice(keys.prefixes.open.length));
  }

  add(id: string): void {
    if (this.#known.has(id)) return;
    this.#known.add(id);
    this.#waiting.push(id);
    this.#begin();
  }

  #begin(): void {
    const { signal, kind } = this.#context;
    while (!signal.aborted && this.#active < kind.maxRuns) {
      const id = this.#waiting.shift();
      if (id === undefined) return;
      this.#active += 1;
      void this.#carryOut(id).finally(() => {
        this.#active -= 1;
        this.#begin();
      });
    }
  }

  /** Never rejects. */
  async #carryOut(id: string): Promise<void> {
    const { log, signal, clock, failures } = this.#context;
    let againMs: number | undefined;
    try {
      againMs = await this.#run(id);
      failures.over(id);
    } catch (error) {
      if (signal.aborted) return;
      const message = errorMessage(error);
      log.warn("Cannot continue a scheduled run; retrying", { id, error: message });
      // Storage or the orchestrator may be back soon.
      const waitMs = failures.failed(id, message, { nowMs: clock.now() });
      againMs = codeOf(error) === "STORED_VALUE_INVALID" ? longestRetryMs : waitMs;
    }
    this.#known.delete(id);
    if (againMs !== undefined) void this.#addLater(id, againMs); // Other runs may start in between.
  }

  async #addLater(id: string, waitMs: number): Promise<void> {
    const { clock, signal } = this.#context;
    await waitUnlessAborted(waitMs, clock, signal);
    if (!signal.aborted) this.add(id);
  }

  async #run(id: string): Promise<number | undefined> {
    const { storage, clock } = this.#context;
    const run = await storage.get(keys.run(id), storedRunSchema);
    if (run === undefined || run.endedMs !== null) return undefined;
    if (run.status === "waiting" && run.notBeforeMs > clock.now())
      return Math.min(run.notBeforeMs - clock.now(), longestRetryMs);
    const error = await this.#whyNot(run);
    if (error !== undefined)
      return this.#put({ ...run, status: run.attempts === 0 ? "skipped" : "failed", error }, nothingSpent);
    let sent = run;
    let outcome: TurnOutcome | undefined;
    try {
      sent = run.status === "running" ? run : await this.#sendInOrder(run);
      outcome = await this.#follow(sent);
    } catch (error) {
      outcome = failedTurn(error);
      // A try that could not begin counts, too.
      sent = run.status === "running" ? run : { ...run, attempts: run.attempts + 1 };
    }
    return outcome === undefined ? undefined : this.#settle(sent, outcome);
  }

  /** Other runs may have spent the budget after the claim. Runs requested by a person are exempt. */
  async #whyNot(run: StoredRun): Promise<Failure | undefined> {
    const { budget, kind } = this.#context;
    const { status, occurrences, tells } = run;
    if (status !== "waiting" || occurrences.some(({ asked }) => asked)) return undefined;
    const ids = scheduleIds(run);
    const limits = ids.length === 1 ? await this.#limits(ids) : kind.limits();
    const [id = ""] = ids;
    const own = run.conversation === "own" ? await this.#store.ownConversation(id) : undefined;
    const agent = await budget.agentOf({ ...run, conversationId: own ?? run.conversationId });
    const spent = await budget.whySpent(limits, agent);
    if (spent !== undefined) await budget.tell(tells, spent);
    return spent?.error;
  }

  async #limits(ids: readonly string[]): Promise<readonly DayLimit[]> {
    const { kind } = this.#context;
    const schedules = await Promise.all(ids.map((id) => this.#store.find(id)));
    return schedules.flatMap((schedule) => kind.limits(schedule?.value.definition));
  }

  /** Sends the runs of a schedule in order, so that two of them do not create its conversation twice. */
  async #sendInOrder(run: StoredRun): Promise<StoredRun> {
    const [scheduleId] = scheduleIds(run);
    if (run.conversation !== "own" || scheduleId === undefined) return this.#send(run);
    const before = this.#sending.get(scheduleId);
    const sent = (async () => {
      await before?.catch(() => undefined); // Its own caller handles the error.
      const own = await this.#store.ownConversation(scheduleId);
      return this.#send({ ...run, conversationId: own ?? run.conversationId });
    })();
    this.#sending.set(scheduleId, sent);
    try {
      return await sent;
    } finally {
      if (this.#sending.get(scheduleId) === sent) this.#sending.delete(scheduleId);
    }
  }

  async #send(run: StoredRun): Promise<StoredRun> {
    const { conversations, storage } = this.#context;
    const attempts = run.attempts + 1;
    const { conversation, title, model, profile, cwd, tools } = run;
    // The schedule's own conversations already have the model.
    const hasModel = model === null || conversation === "own" || conversation === "fresh";
    const turn = await sendMessage(conversations.get(), {
      request: { input: run.text, ...(hasModel ? {} : { model }) },
      idempotencyKey: `schedule ${run.id} ${attempts}`,
      conversationId: run.conversationId ?? undefined,
      isReplaceable: conversation === "own",
      newConversation: {
        request: {
          title,
          ...(model === null ? {} : { model }),
          ...(profile === null ? {} : { profile }),
          ...(cwd === null ? {} : { cwd }),
          ...(tools === null ? {} : { allowedTools: tools }),
        },
        join: (id) => this.#madeFor(run, id),
      },
    });
    const sent: StoredRun = { ...run, ...turn, status: "running", attempts };
    await storage.set(keys.run(run.id), sent);
    return sent;
  }

  #madeFor(run: StoredRun, id: ConversationId): StorageBatch {
    const writes: StorageWrite[] = [{ kind: "set", key: keys.run(run.id), value: { ...run, conversationId: id } }];
    for (const scheduleId of run.conversation === "own" ? scheduleIds(run) : [])
      writes.push(this.#store.setOwn(scheduleId, id));
    return this.#context.storage.batch([], writes);
  }

  /** `undefined` when the activation ends; the next one continues. */
  #follow({ conversationId, turnId, afterSeq }: StoredRun): Promise<TurnOutcome | undefined> {
    if (conversationId === null || turnId === null) throw new Error("A run that was not sent has no turn");
    return followTurn(this.#context, { conversationId, turnId, afterSeq });
  }

  /**
   * Called before the commit, so that a repeated commit does not report twice. Returns an error for chats that could
   * not be reached.
   */
  async #tell({ id, tells }: StoredRun, text: string): Promise<Failure | undefined> {
    const { chats, log } = this.#context;
    let failure: Failure | undefined;
    for (const to of tells)
      failure = (await notifyChat(chats, { to, text, key: `schedule ${id} ${to}` }, log)) ?? failure;
    return failure;
  }

  async #settle(run: StoredRun, outcome: TurnOutcome): Promise<number | undefined> {
    const { clock, kind } = this.#context;
    const { reply } = outcome;
    const { status, error, quiet, repeated, text, writes } = await kind.ending(run, outcome);
    const isTriedAgain = (status === "failed" || status === "interrupted") && run.attempts <= run.retries;
    const waitMs = Math.min(retryMs * 2 ** (run.attempts - 1), longestRetryMs);
    const notTold = isTriedAgain || text === undefined ? undefined : await this.#tell(run, text);
    const spent = await this.#spentBy(run, outcome);
    const settled: StoredRun = {
      ...run,
      status: isTriedAgain ? "waiting" : status,
      notBeforeMs: isTriedAgain ? clock.now() + waitMs : run.notBeforeMs,
      reply: reply.slice(0, kind.maxReplyLength),
      quiet,
      repeated,
      ...addSpent(run, spent),
      error: error ?? notTold ?? null,
    };
    await this.#put(settled, spent, writes);
    return isTriedAgain ? waitMs : undefined;
  }

  async #spentBy(run: StoredRun, { tokens }: TurnOutcome): Promise<Spent> {
    const { budget, kind, log, records } = this.#context;
    const { conversationId, turnId } = run;
    if (conversationId === null || turnId === null) return { ...nothingSpent, tokens };
    const spent = await spentByTurn(records, { conversationId, turnId, tokens });
    if (spent.unpriced > 0 && budget.isInMoney(await this.#limits(scheduleIds(run))))
      log.warn(
        `${kind.subject} has made calls of which no price is known: a bound in US dollars does not see them, one in tokens does`,
        { turnId, calls: spent.unpriced },
      );
    return spent;
  }

  /** Includes the spending since the last write. */
  async #put(run: StoredRun, spent: Spent, more: readonly StorageWrite[] = []): Promise<undefined> {
    const { storage, clock, budget, kind } = this.#context;
    const isOver = run.status !== "waiting";
    const ids = scheduleIds(run);
    const value: StoredRun = { ...run, endedMs: isOver ? clock.now() : null };
    const writes: StorageWrite[] = [{ kind: "set", key: keys.run(run.id), value }, ...more];
    if (isOver) {
      const open = [keys.open(run.id), ...ids.map((id) => keys.pendingRun(id, run.id))];
      writes.push(...open.map((key) => ({ kind: "delete", key }) as const), ...(await this.#outdated(run)));
    }
    const agent = spent === nothingSpent ? undefined : await budget.agentOf(run);
    // The cost of one message for several schedules is divided among them.
    const shared = ids.map((id) => kind.spendingId(id));
    const whole = [...kind.spendingGroups, ...(agent === undefined ? [] : [agentSpendingId(agent.profile)])];
    for (;;) {
      const join = [await budget.ledger.count(spent, { shared, whole })];
      if ((await storage.atomic([], writes, { join })).kind === "committed") return undefined;
    }
  }

  async #outdated(run: StoredRun): Promise<readonly StorageWrite[]> {
    const { storage, kind } = this.#context;
    const writes: StorageWrite[] = [];
    for (const id of scheduleIds(run)) {
      const prefix = keys.history(id);
      const alert = await storage.get(keys.alert(id), storedReferenceSchema);
      const kept = await storage.list({ prefix, limit: kind.keptRuns * 2 }, storedNothingSchema);
      for (const { key } of kept.slice(0, Math.max(0, kept.length - kind.keptRuns))) {
        const runId = key.slice(prefix.length);
        if (runId === alert?.runId) continue;
        if ((await storage.get(keys.open(runId), storedNothingSchema)) !== undefined) continue;
        writes.push({ kind: "delete", key }, { kind: "delete", key: keys.run(runId) });
      }
    }
    return writes;
  }
}

function scheduleIds({ occurrences }: Pick<StoredRun, "occurrences">): readonly string[] {
  return [...new Set(occurrences.map(({ scheduleId }) => scheduleId))];
}

const pageLimit = 100;

/**
 * Includes compaction and failed calls. Without the service or stored steps, returns the tokens from the turn's events,
 * without a cost.
 */
async function spentByTurn(
  records: { readonly current: Pick<ConversationRecordsService, "steps"> | undefined },
  turn: { readonly conversationId: ConversationId; readonly turnId: TurnId; readonly tokens: number },
): Promise<Spent> {
  const service = records.current;
  const told = { tokens: turn.tokens, usd: 0, unpriced: turn.tokens === 0 ? 0 : 1 };
  if (service === undefined) return told;
  try {
    return (await readSpent(service, turn)) ?? told;
  } catch (error) {
    if (isTransient(error)) throw error;
    return told; // The conversation was deleted.
  }
}

async function readSpent(
  service: Pick<ConversationRecordsService, "steps">,
  { conversationId, turnId }: { readonly conversationId: ConversationId; readonly turnId: TurnId },
): Promise<Spent | undefined> {
  let spent: Spent | undefined;
  // Ids sort by creation time: the steps of a turn follow its id.
  for (let cursor: string | undefined = turnId; cursor !== undefined;) {
    const page: Awaited<ReturnType<typeof service.steps>> = await service.steps(conversationId, {
      cursor,
      limit: pageLimit,
    });
    for (const step of page.items) {
      if (step.turnId !== turnId || step.requestSha256 === null) continue;
      spent = addSpent(spent ?? nothingSpent, spentOfCall(step));
    }
    cursor = page.nextCursor;
  }
  return spent;
}
