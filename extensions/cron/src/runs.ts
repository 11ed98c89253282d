import { codeOf, dayAt, followTurn, isPassing, isQuiet, type TurnOutcome } from "@incipit/gateway-protocol";
import { errorMessage, type StorageCheck, type StorageWrite } from "@incipit/kernel";
import type { ConversationId } from "@incipit/schema";
import type { ConversationsService } from "@incipit/service-contract";
import type { CronContext } from "./cron-context.ts";
import {
  keys,
  storedConversationSchema,
  storedNothingSchema,
  storedRunSchema,
  storedTokensSchema,
  type StoredRun,
} from "./stored.ts";

/** Between two tries to reach what is not there at the moment, such as storage or the orchestrator. */
const laterMs = 1_000;
/** Before the second try of what failed; each one after that waits twice as long. */
const retryMs = 30_000;
const longestRetryMs = 3_600_000;
const maxReplyLength = 20_000;
const keptRuns = 100;

/** Carries out what was claimed, each to its end, some at once. */
export class Runs {
  readonly #context: CronContext;
  readonly #waiting: string[] = [];
  readonly #known = new Set<string>();
  /** The run of a schedule that is being sent, or waits for that. */
  readonly #sending = new Map<string, Promise<StoredRun>>();
  #active = 0;

  constructor(context: CronContext) {
    this.#context = context;
  }

  /** Takes up what an earlier generation, or an earlier host, left. */
  async resume(): Promise<void> {
    const { storage } = this.#context;
    for (let start: string = keys.prefixes.open; ;) {
      const end = `${keys.prefixes.open}~`;
      const page = await storage.list({ start, end, limit: 1_000 }, storedNothingSchema);
      for (const { key } of page) this.add(key.slice(keys.prefixes.open.length));
      const last = page.at(-1);
      if (last === undefined || page.length < 1_000) return;
      start = keys.behind(last.key);
    }
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
    const { clock, log, signal } = this.#context;
    let againMs: number | undefined;
    try {
      againMs = await this.#run(id);
    } catch (error) {
      if (signal.aborted) return; // The next start goes on.
      log.warn("A run of a schedule cannot go on now; it is tried again", { id, error: errorMessage(error) });
      againMs = codeOf(error) === "STORED_VALUE_INVALID" ? longestRetryMs : laterMs;
    }
    this.#known.delete(id);
    if (againMs !== undefined && !signal.aborted) {
      const cancel = clock.setTimer(() => this.add(id), againMs);
      signal.addEventListener("abort", cancel, { once: true });
    }
  }

  /** Gives after which time it has to be taken up again; `undefined`: it is over. */
  async #run(id: string): Promise<number | undefined> {
    const { storage, clock } = this.#context;
    const run = await storage.get(keys.run(id), storedRunSchema);
    if (run === undefined || run.endedMs !== null) return undefined;
    if (run.status === "waiting" && run.notBeforeMs > clock.now())
      return Math.min(run.notBeforeMs - clock.now(), longestRetryMs);
    let sent = run;
    let outcome: TurnOutcome | undefined;
    try {
      sent = run.status === "running" ? run : await this.#sendInOrder(run);
      outcome = await this.#follow(sent);
    } catch (error) {
      const code = codeOf(error);
      if (code === undefined || isPassing(error)) throw error;
      // A try that could not begin counts, too.
      sent = run.status === "running" ? run : { ...run, attempts: run.attempts + 1 };
      outcome = { status: "failed", error: { code, message: errorMessage(error) }, reply: "", tokens: 0 };
    }
    return outcome === undefined ? undefined : this.#settle(sent, outcome);
  }

  /** Two runs of a schedule make one conversation of its own. */
  async #sendInOrder(run: StoredRun): Promise<StoredRun> {
    const [first] = run.occurrences;
    if (!run.make.isOwn || first === undefined) return this.#send(run);
    const { scheduleId } = first;
    const before = this.#sending.get(scheduleId);
    const sent = (async () => {
      await before?.catch(() => undefined); // It was told of that itself.
      const own = await this.#context.storage.get(keys.own(scheduleId), storedConversationSchema);
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
    const conversations = this.#context.conversations.get();
    const attempts = run.attempts + 1;
    // However often it is sent, it is one turn.
    const options = { idempotencyKey: `schedule ${run.id} ${attempts}` };
    const request = { input: run.text, ...(run.model === null ? {} : { model: run.model }) };
    let conversationId = run.conversationId ?? (await this.#newConversation(conversations, run));
    const send = (): ReturnType<ConversationsService["send"]> =>
      conversations.send(conversationId, request, options);
    const { turnId, afterSeq } = await send().catch(async (error: unknown) => {
      if (!run.make.isOwn || codeOf(error) !== "CONVERSATION_UNKNOWN") throw error;
      conversationId = await this.#newConversation(conversations, run); // A person has deleted the one before.
      return send();
    });
    const sent: StoredRun = { ...run, conversationId, status: "running", attempts, turnId, afterSeq };
    await this.#context.storage.set(keys.run(run.id), sent);
    return sent;
  }

  /** It is the run's in the commit that makes it: no other one is made for it. */
  async #newConversation(conversations: ConversationsService, run: StoredRun): Promise<ConversationId> {
    const { title, model, profile, cwd, isOwn } = run.make;
    const [first] = run.occurrences;
    const request = {
      title,
      ...(model === null ? {} : { model }),
      ...(profile === null ? {} : { profile }),
      ...(cwd === null ? {} : { cwd }),
    };
    const join = (id: ConversationId) => {
      const writes: StorageWrite[] = [
        { kind: "set", key: keys.run(run.id), value: { ...run, conversationId: id } },
      ];
      if (isOwn && first !== undefined)
        writes.push({ kind: "set", key: keys.own(first.scheduleId), value: { id } });
      return this.#context.storage.batch([], writes);
    };
    return (await conversations.create(request, { join })).id;
  }

  /** `undefined`: the activation ends; the next one goes on. */
  #follow({ conversationId, turnId, afterSeq }: StoredRun): Promise<TurnOutcome | undefined> {
    if (conversationId === null || turnId === null) throw new Error("A run that was not sent has no turn");
    return followTurn(this.#context, { conversationId, turnId, afterSeq });
  }

  /** Gives after which time it is tried again; `undefined`: it is over. */
  async #settle(run: StoredRun, { status, error, reply, tokens }: TurnOutcome): Promise<number | undefined> {
    const { storage, clock, settings } = this.#context;
    const isTriedAgain = (status === "failed" || status === "interrupted") && run.attempts <= run.retries;
    const waitMs = Math.min(retryMs * 2 ** (run.attempts - 1), longestRetryMs);
    const settled: StoredRun = {
      ...run,
      status: isTriedAgain ? "waiting" : status,
      endedMs: isTriedAgain ? null : clock.now(),
      notBeforeMs: isTriedAgain ? clock.now() + waitMs : run.notBeforeMs,
      reply: reply.slice(0, maxReplyLength),
      quiet: status === "completed" && isQuiet(reply),
      tokens: run.tokens + tokens,
      error,
    };
    const writes: StorageWrite[] = [{ kind: "set", key: keys.run(run.id), value: settled }];
    if (!isTriedAgain) {
      const open = [
        keys.open(run.id),
        ...run.occurrences.map(({ scheduleId }) => keys.pendingRun(scheduleId, run.id)),
      ];
      writes.push(
        ...[...new Set(open)].map((key) => ({ kind: "delete", key }) as const),
        ...(await this.#outdated(run)),
      );
    }
    const day = dayAt(clock.now(), settings.timeZone);
    for (;;) {
      const counted = await this.#count(day, run, tokens);
      const result = await storage.atomic(counted.checks, [...writes, ...counted.writes]);
      if (result.kind === "committed") return isTriedAgain ? waitMs : undefined;
    }
  }

  /** Tokens of a message for several schedules are shared out among them. */
  async #count(
    day: string,
    { occurrences }: StoredRun,
    tokens: number,
  ): Promise<{ readonly checks: readonly StorageCheck[]; readonly writes: readonly StorageWrite[] }> {
    const checks: StorageCheck[] = [];
    const writes: StorageWrite[] = [];
    if (tokens === 0) return { checks, writes };
    const ids = [...new Set(occurrences.map(({ scheduleId }) => scheduleId))];
    const share = Math.ceil(tokens / ids.length);
    for (const [key, more] of [
      [keys.tokens(day), tokens] as const,
      ...ids.map((id) => [keys.tokens(day, id), share] as const),
    ]) {
      const stored = await this.#context.storage.getVersioned(key, storedTokensSchema);
      checks.push({ key, version: stored?.version ?? null });
      writes.push({ kind: "set", key, value: { tokens: (stored?.value.tokens ?? 0) + more } });
    }
    return { checks, writes };
  }

  /** What is kept no longer of the schedules of a run. */
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
