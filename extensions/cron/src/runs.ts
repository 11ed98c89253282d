import {
  budgetedAgent,
  codeOf,
  failedTurn,
  followTurn,
  isQuiet,
  ownConversationSchema,
  sendMessage,
  spentByTurn,
  notifyChat,
  replyWithNote,
  type TurnOutcome,
} from "@incipit/gateway-protocol";
import type { BudgetedAgent } from "@incipit/service-contract";
import { errorMessage, waitUnlessAborted, type StorageBatch, type StorageWrite } from "@incipit/kernel";
import { addSpent, nothingSpent, type ConversationId, type Failure, type Spent } from "@incipit/schema";
import type { Budget } from "./budget.ts";
import type { CronContext } from "./cron-context.ts";
import { keys, storedNothingSchema, storedRunSchema, storedScheduleSchema, type StoredRun } from "./stored.ts";

const retryMs = 30_000;
const longestRetryMs = 3_600_000;
const maxReplyLength = 20_000;
const keptRuns = 100;

export class Runs {
  readonly #context: CronContext;
  readonly #budget: Budget;
  readonly #waiting: string[] = [];
  readonly #known = new Set<string>();
  readonly #sending = new Map<string, Promise<StoredRun>>();
  #active = 0;

  constructor(context: CronContext, budget: Budget) {
    this.#context = context;
    this.#budget = budget;
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
    const { signal, settings } = this.#context;
    while (!signal.aborted && this.#active < settings.maxRuns) {
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
    const { log, signal, clock, troubles } = this.#context;
    let againMs: number | undefined;
    try {
      againMs = await this.#run(id);
      troubles.over(id);
    } catch (error) {
      if (signal.aborted) return;
      const message = errorMessage(error);
      log.warn("A run of a schedule cannot go on now; it is tried again", { id, error: message });
      // Storage or the orchestrator may be back soon.
      const waitMs = troubles.failed(id, message, { nowMs: clock.now() });
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
      return this.#store({ ...run, status: run.attempts === 0 ? "skipped" : "failed", error }, nothingSpent);
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
    const { status, occurrences, tells } = run;
    if (status !== "waiting" || occurrences.some(({ asked }) => asked)) return undefined;
    const [first, ...others] = new Set(occurrences.map(({ scheduleId }) => scheduleId));
    const schedule =
      first === undefined || others.length > 0
        ? undefined
        : await this.#context.storage.get(keys.schedule(first), storedScheduleSchema);
    const spent = await this.#budget.whySpent(schedule?.definition, await this.#agentOf(run));
    if (spent !== undefined) await this.#budget.tell(tells, spent);
    return spent?.error;
  }

  #agentOf({ conversationId, make: { profile, cwd } }: StoredRun): Promise<BudgetedAgent | undefined> {
    return budgetedAgent(this.#context.conversations.get(), { conversationId, profile, cwd });
  }

  /** Two runs of a schedule must not create its conversation twice. */
  async #sendInOrder(run: StoredRun): Promise<StoredRun> {
    const [first] = run.occurrences;
    if (!run.make.isOwn || first === undefined) return this.#send(run);
    const { scheduleId } = first;
    const before = this.#sending.get(scheduleId);
    const sent = (async () => {
      await before?.catch(() => undefined); // Its own caller handles the error.
      const own = await this.#context.storage.get(keys.own(scheduleId), ownConversationSchema);
      return this.#send({ ...run, conversationId: own?.id ?? null });
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
    const { title, model, profile, cwd, tools, isOwn } = run.make;
    const turn = await sendMessage(conversations.get(), {
      request: { input: run.text, ...(run.model === null ? {} : { model: run.model }) },
      idempotencyKey: `schedule ${run.id} ${attempts}`,
      conversationId: run.conversationId ?? undefined,
      isReplaceable: isOwn,
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
    const [first] = run.occurrences;
    const writes: StorageWrite[] = [{ kind: "set", key: keys.run(run.id), value: { ...run, conversationId: id } }];
    if (run.make.isOwn && first !== undefined)
      writes.push({ kind: "set", key: keys.own(first.scheduleId), value: { id } });
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
  async #tell({ id, occurrences, tells }: StoredRun, what: string): Promise<Failure | undefined> {
    const { chats, log } = this.#context;
    const names = [...new Set(occurrences.map(({ scheduleId }) => scheduleId))].join(", ");
    let failure: Failure | undefined;
    for (const to of tells) {
      const failed = await notifyChat(chats, { to, text: `${names}: ${what}`, key: `schedule ${id} ${to}` });
      if (failed === undefined) continue;
      log.error("Nobody was told of a run of a schedule", { id, error: failed.message });
      failure = failed;
    }
    return failure;
  }

  async #settle(run: StoredRun, outcome: TurnOutcome): Promise<number | undefined> {
    const { clock } = this.#context;
    const { status, error, reply } = outcome;
    const isTriedAgain = (status === "failed" || status === "interrupted") && run.attempts <= run.retries;
    const waitMs = Math.min(retryMs * 2 ** (run.attempts - 1), longestRetryMs);
    const quiet = status === "completed" && isQuiet(reply);
    const notTold = isTriedAgain || quiet ? undefined : await this.#tell(run, inWords(outcome));
    const spent = await this.#spentBy(run, outcome);
    const settled: StoredRun = {
      ...run,
      status: isTriedAgain ? "waiting" : status,
      notBeforeMs: isTriedAgain ? clock.now() + waitMs : run.notBeforeMs,
      reply: reply.slice(0, maxReplyLength),
      quiet,
      ...addSpent(run, spent),
      error: error ?? notTold ?? null,
    };
    await this.#store(settled, spent);
    return isTriedAgain ? waitMs : undefined;
  }

  async #spentBy({ conversationId, turnId, occurrences }: StoredRun, { tokens }: TurnOutcome): Promise<Spent> {
    if (conversationId === null || turnId === null) return { ...nothingSpent, tokens };
    const spent = await spentByTurn(this.#context.records, { conversationId, turnId, tokens });
    if (spent.unpriced > 0 && (await this.#budget.isInMoney(occurrences.map(({ scheduleId }) => scheduleId))))
      this.#context.log.warn(
        "A schedule has made calls of which no price is known: a bound in US dollars does not see them, one in tokens does",
        { turnId, calls: spent.unpriced },
      );
    return spent;
  }

  /** Includes the spending since the last write. */
  async #store(run: StoredRun, spent: Spent): Promise<undefined> {
    const { storage, clock, spending, unattended } = this.#context;
    const isOver = run.status !== "waiting";
    const ids = [...new Set(run.occurrences.map(({ scheduleId }) => scheduleId))];
    const value: StoredRun = { ...run, endedMs: isOver ? clock.now() : null };
    const writes: StorageWrite[] = [{ kind: "set", key: keys.run(run.id), value }];
    if (isOver) {
      const open = [keys.open(run.id), ...ids.map((id) => keys.pendingRun(id, run.id))];
      writes.push(...open.map((key) => ({ kind: "delete", key }) as const), ...(await this.#outdated(run)));
    }
    const agent = spent === nothingSpent ? undefined : await this.#agentOf(run);
    for (;;) {
      // The cost of one message for several schedules is divided among them.
      const counted = await spending.count(spent, ids);
      const all = await unattended.current?.count({ ...spent, schedules: ids, agent });
      const join = all === undefined ? {} : { join: [all] };
      const result = await storage.atomic(counted.checks, [...writes, ...counted.writes], join);
      if (result.kind === "committed") return undefined;
    }
  }

  async #outdated({ occurrences }: StoredRun): Promise<readonly StorageWrite[]> {
    const writes: StorageWrite[] = [];
    for (const id of new Set(occurrences.map(({ scheduleId }) => scheduleId))) {
      const prefix = keys.history(id);
      const kept = await this.#context.storage.list({ prefix, limit: keptRuns * 2 }, storedNothingSchema);
      for (const { key } of kept.slice(0, Math.max(0, kept.length - keptRuns))) {
        const runId = key.slice(prefix.length);
        if ((await this.#context.storage.get(keys.open(runId), storedNothingSchema)) !== undefined) continue;
        writes.push({ kind: "delete", key }, { kind: "delete", key: keys.run(runId) });
      }
    }
    return writes;
  }
}

function inWords(outcome: TurnOutcome): string {
  const { status, error, reply } = outcome;
  switch (status) {
    case "completed":
      return replyWithNote(outcome);
    case "failed":
      return error?.message ?? "The run failed, and nobody knows why";
    case "cancelled":
      return withReply("The run was stopped", reply);
    case "interrupted":
      return withReply("The run was cut off, as the host ended", reply);
  }
}

function withReply(what: string, reply: string): string {
  return reply.trim() === "" ? `${what}.` : `${what}. Until then it said:\n\n${reply}`;
}
