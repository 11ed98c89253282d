import {
  codeOf,
  dayAt,
  followTurn,
  isPassing,
  isQuiet,
  type TurnOutcome,
  waitUnlessAborted,
} from "@incipit/gateway-protocol";
import {
  errorMessage,
  type Clock,
  type FileSystem,
  type Log,
  type ServiceReference,
  type Storage,
  type StorageBatch,
  type StorageWrite,
  type Versioned,
} from "@incipit/kernel";
import {
  wakeIdSchema,
  type ConversationId,
  type Failure,
  type Heartbeat,
  type HeartbeatWake,
  type PageQuery,
  type WakeOutcome,
} from "@incipit/schema";
import {
  ServiceError,
  type ConversationsService,
  type HeartbeatService,
  type Page,
} from "@incipit/service-contract";
import {
  keys,
  storedBeatSchema,
  storedConversationSchema,
  storedTokensSchema,
  storedWakeSchema,
  type StoredBeat,
  type StoredWake,
} from "./stored.ts";
import { readTaskFile } from "./task-file.ts";
import { nextWakeMs, type WakeTimes } from "./wake-times.ts";

/** The clock is looked at as often: it may be set, and a machine may sleep. */
const longestWaitMs = 30_000;
const retryMs = 1_000;
/** What is later than that was missed: nobody is woken for a time that is long over. */
const graceMs = 60_000;
const keptWakes = 200;

export interface HeartContext {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly fs: Pick<FileSystem, "readFile">;
  readonly conversations: ServiceReference<ConversationsService>;
  readonly signal: AbortSignal;
  /** The host's working folder, absolute. */
  readonly cwd: string;
  readonly isEnabled: boolean;
  readonly times: WakeTimes;
  /** `undefined`: one of its own. */
  readonly conversationId: ConversationId | undefined;
  readonly model: string | undefined;
  readonly profile: string | undefined;
  readonly file: string;
  readonly maxTokensPerDay: number | undefined;
}

/**
 * Wakes a model at its times, one wake after the other. A wake is claimed with the time of the next one, sent with a key of
 * its own, and settled, each in one commit: whatever ends when, a time wakes at most once, and what was begun has its end.
 */
export class Heart implements HeartbeatService {
  readonly #context: HeartContext;
  /** Ends the wait for the next time. */
  #hurry = new AbortController();

  constructor(context: HeartContext) {
    this.#context = context;
  }

  /** Resolves when the activation ends. */
  async run(): Promise<void> {
    const { signal, clock, log } = this.#context;
    let failures = 0;
    while (!signal.aborted) {
      let waitMs: number;
      try {
        waitMs = await this.#beatOnce();
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        waitMs = Math.min(retryMs * 2 ** failures, longestWaitMs);
        failures += 1;
        log.error("The heartbeat cannot go on; it is tried again", { error: errorMessage(error) });
      }
      if (waitMs > 0) await waitUnlessAborted(waitMs, clock, AbortSignal.any([signal, this.#hurry.signal]));
      if (this.#hurry.signal.aborted) this.#hurry = new AbortController();
    }
  }

  async get(): Promise<Heartbeat> {
    const { storage, clock, times, isEnabled, conversationId } = this.#context;
    const beat = await storage.get(keys.beat, storedBeatSchema);
    const [own, newest, lastAlert, tokens] = await Promise.all([
      storage.get(keys.own, storedConversationSchema),
      storage.list({ prefix: keys.wakes, limit: 1, reverse: true }, storedWakeSchema),
      beat?.lastAlertId == null ? undefined : storage.get(keys.wake(beat.lastAlertId), storedWakeSchema),
      storage.get(keys.tokens(dayAt(clock.now(), times.timeZone)), storedTokensSchema),
    ]);
    const [lastWake] = newest;
    return {
      enabled: isEnabled,
      nextAt: isEnabled && beat !== undefined ? timestamp(beat.nextMs) : null,
      conversationId: conversationId ?? own?.id ?? null,
      lastWake: lastWake === undefined ? null : wakeView(lastWake.value),
      lastAlert: lastAlert === undefined ? null : wakeView(lastAlert),
      tokensToday: tokens?.tokens ?? 0,
    };
  }

  async wakes({ cursor, limit }: PageQuery): Promise<Page<HeartbeatWake>> {
    const { storage } = this.#context;
    const range = cursor === undefined ? { prefix: keys.wakes } : { start: keys.wakes, end: keys.wake(cursor) };
    const found = await storage.list({ ...range, limit, reverse: true }, storedWakeSchema);
    const items = found.map(({ value }) => wakeView(value));
    const last = items.at(-1);
    return last === undefined || items.length < limit ? { items } : { items, nextCursor: last.id };
  }

  async wake(): Promise<HeartbeatWake> {
    const beat = await this.#beat();
    const text = await this.#text();
    if (text.kind !== "tasks") throw new ServiceError("INVALID_REQUEST", `Nobody was woken: ${text.why}`);
    if (beat.value.openWakeId === null) {
      const wake = this.#newWake(this.#context.clock.now(), text.text);
      if (await this.#claim(beat, wake, beat.value.nextMs)) {
        this.#hurry.abort();
        return wakeView(wake);
      }
    }
    throw new ServiceError("CONVERSATION_BUSY", "A wake is under way; wait for its end");
  }

  /** Gives after which time there is something to do again. */
  async #beatOnce(): Promise<number> {
    const { clock } = this.#context;
    const beat = await this.#beat();
    if (beat.value.openWakeId !== null) {
      await this.#carryOut(beat.value.openWakeId);
      return 0;
    }
    const waitMs = beat.value.nextMs - clock.now();
    if (waitMs > 0) return Math.min(waitMs, longestWaitMs);
    await this.#begin(beat);
    return 0;
  }

  /** How far it is; anew when it is first asked for, and when another interval was configured. */
  async #beat(): Promise<Versioned<StoredBeat>> {
    const { storage, clock, times } = this.#context;
    const stored = await storage.getVersioned(keys.beat, storedBeatSchema);
    if (stored !== undefined && stored.value.everyMs === times.everyMs) return stored;
    const anchorMs = clock.now();
    const value: StoredBeat = {
      openWakeId: null,
      idleWakeId: null,
      lastAlertId: null,
      ...stored?.value,
      anchorMs,
      everyMs: times.everyMs,
      nextMs: nextWakeMs(anchorMs, anchorMs, times),
    };
    const check = { key: keys.beat, version: stored?.version ?? null };
    await storage.atomic([check], [{ kind: "set", key: keys.beat, value }]);
    return this.#beat();
  }

  /** Wakes a model for a time that has come, or says why not. */
  async #begin(beat: Versioned<StoredBeat>): Promise<void> {
    const { clock, conversationId, conversations, storage, times } = this.#context;
    const { nextMs: dueMs, anchorMs } = beat.value;
    const nextMs = nextWakeMs(clock.now(), anchorMs, times);
    const idle = (outcome: WakeOutcome, code: string, message: string): Promise<void> =>
      this.#stayIdle(beat, nextMs, { ...this.#newWake(dueMs, ""), outcome, error: { code, message } });
    if (clock.now() - dueMs > graceMs) return idle("missed", "MISSED", "The host did not run at its time");
    const spent = await this.#spent();
    if (spent !== undefined) return idle("budget", spent.code, spent.message);
    const text = await this.#text();
    if (text.kind === "nothing") return idle("empty", "NOTHING_TO_DO", text.why);
    if (text.kind === "problem") return idle("failed", "FILE_UNUSABLE", text.why);
    const id = conversationId ?? (await storage.get(keys.own, storedConversationSchema))?.id;
    if (id !== undefined && (await isBusy(conversations.get(), id)))
      return idle("busy", "CONVERSATION_BUSY", "Something was running in its conversation");
    await this.#claim(beat, this.#newWake(dueMs, text.text), nextMs);
  }

  async #claim(beat: Versioned<StoredBeat>, wake: StoredWake, nextMs: number): Promise<boolean> {
    const value: StoredBeat = { ...beat.value, nextMs, openWakeId: wake.id };
    const result = await this.#context.storage.atomic(
      [{ key: keys.beat, version: beat.version }],
      [
        { kind: "set", key: keys.beat, value },
        { kind: "set", key: keys.wake(wake.id), value: wake },
      ],
    );
    return result.kind === "committed";
  }

  /** Nobody was woken: the last time of that kind is kept, as it is the same again and again. */
  async #stayIdle(beat: Versioned<StoredBeat>, nextMs: number, wake: StoredWake): Promise<void> {
    const { clock, storage, log } = this.#context;
    const { idleWakeId } = beat.value;
    const writes: StorageWrite[] = [
      { kind: "set", key: keys.beat, value: { ...beat.value, nextMs, idleWakeId: wake.id } },
      { kind: "set", key: keys.wake(wake.id), value: { ...wake, endedMs: clock.now() } },
      ...(idleWakeId === null ? [] : [{ kind: "delete", key: keys.wake(idleWakeId) } as const]),
    ];
    await storage.atomic([{ key: keys.beat, version: beat.version }], writes);
    if (wake.outcome === "failed") log.warn("The heartbeat wakes nobody", { error: wake.error?.message ?? "" });
  }

  async #carryOut(id: string): Promise<void> {
    const wake = await this.#context.storage.get(keys.wake(id), storedWakeSchema);
    if (wake === undefined) return this.#settle(undefined, undefined);
    let sent = wake;
    let outcome: TurnOutcome | undefined;
    try {
      sent = wake.turnId === null ? await this.#send(wake) : wake;
      const { conversationId, turnId, afterSeq } = sent;
      if (conversationId !== null && turnId !== null)
        outcome = await followTurn(this.#context, { conversationId, turnId, afterSeq });
    } catch (error) {
      const code = codeOf(error);
      if (code === undefined || isPassing(error)) throw error;
      outcome = { status: "failed", error: { code, message: errorMessage(error) }, reply: "", tokens: 0 };
    }
    if (outcome !== undefined) await this.#settle(sent, outcome);
  }

  async #send(wake: StoredWake): Promise<StoredWake> {
    const conversations = this.#context.conversations.get();
    const { storage, conversationId: configured } = this.#context;
    const own = (await storage.get(keys.own, storedConversationSchema))?.id;
    let conversationId = configured ?? own ?? (await this.#newConversation(conversations));
    const options = { idempotencyKey: `heartbeat ${wake.id}` };
    const send = (): ReturnType<ConversationsService["send"]> =>
      conversations.send(conversationId, { input: wake.text }, options);
    const { turnId, afterSeq } = await send().catch(async (error: unknown) => {
      if (configured !== undefined || codeOf(error) !== "CONVERSATION_UNKNOWN") throw error;
      conversationId = await this.#newConversation(conversations); // A person has deleted the one before.
      return send();
    });
    const sent: StoredWake = { ...wake, conversationId, turnId, afterSeq };
    await storage.set(keys.wake(wake.id), sent);
    return sent;
  }

  /** It is the heartbeat's own in the commit that makes it. */
  async #newConversation(conversations: ConversationsService): Promise<ConversationId> {
    const { storage, model, profile } = this.#context;
    const request = {
      title: "Heartbeat",
      ...(model === undefined ? {} : { model }),
      ...(profile === undefined ? {} : { profile }),
    };
    const join = (id: ConversationId): StorageBatch =>
      storage.batch([], [{ kind: "set", key: keys.own, value: { id } }]);
    return (await conversations.create(request, { join })).id;
  }

  async #settle(wake: StoredWake | undefined, ended: TurnOutcome | undefined): Promise<void> {
    const { storage, clock, times } = this.#context;
    const beat = await this.#beat();
    const writes: StorageWrite[] = [];
    let { lastAlertId } = beat.value;
    if (wake !== undefined && ended !== undefined) {
      const { reply, tokens } = ended;
      const { outcome, error } = judge(ended);
      const before = lastAlertId === null ? undefined : await storage.get(keys.wake(lastAlertId), storedWakeSchema);
      const repeated = outcome === "alert" && before?.reply === reply;
      const settled = { ...wake, outcome, error, reply, repeated, tokens, endedMs: clock.now() };
      writes.push({ kind: "set", key: keys.wake(wake.id), value: settled });
      if (outcome === "alert") lastAlertId = wake.id;
      const key = keys.tokens(dayAt(clock.now(), times.timeZone));
      const spent = (await storage.get(key, storedTokensSchema))?.tokens ?? 0;
      writes.push({ kind: "set", key, value: { tokens: spent + tokens } }, ...(await this.#outdated(lastAlertId)));
    }
    const value: StoredBeat = { ...beat.value, openWakeId: null, lastAlertId };
    writes.push({ kind: "set", key: keys.beat, value });
    await storage.atomic([{ key: keys.beat, version: beat.version }], writes);
  }

  async #outdated(lastAlertId: string | null): Promise<readonly StorageWrite[]> {
    const kept = await this.#context.storage.list({ prefix: keys.wakes, limit: keptWakes * 2 }, storedWakeSchema);
    return kept
      .slice(0, Math.max(0, kept.length - keptWakes))
      .flatMap(({ key, value }) => (value.id === lastAlertId ? [] : [{ kind: "delete", key } as const]));
  }

  /** The message of a wake: the time, and what the file says. */
  async #text(): Promise<Awaited<ReturnType<typeof readTaskFile>>> {
    const { fs, file, cwd, signal, clock, times } = this.#context;
    const read = await readTaskFile(fs, { file, cwd, signal });
    if (read.kind !== "tasks") return read;
    const { timeZone } = times;
    const at = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" });
    return {
      kind: "tasks",
      text: `[HEARTBEAT] ${at.format(clock.now())} (${timeZone})\n\n${file}:\n\n${read.text}`,
    };
  }

  async #spent(): Promise<Failure | undefined> {
    const { storage, clock, times, maxTokensPerDay } = this.#context;
    if (maxTokensPerDay === undefined) return undefined;
    const key = keys.tokens(dayAt(clock.now(), times.timeZone));
    const tokens = (await storage.get(key, storedTokensSchema))?.tokens ?? 0;
    if (tokens < maxTokensPerDay) return undefined;
    const message = `Today's wakes have used ${tokens} tokens, and heartbeat.max_tokens_per_day allows ${maxTokensPerDay}; it goes on tomorrow`;
    return { code: "BUDGET_SPENT", message };
  }

  #newWake(dueMs: number, text: string): StoredWake {
    return {
      id: wakeIdSchema.parse(Bun.randomUUIDv7("hex", this.#context.clock.now())),
      dueMs,
      text,
      outcome: null,
      conversationId: null,
      turnId: null,
      afterSeq: 0,
      endedMs: null,
      reply: null,
      repeated: false,
      tokens: 0,
      error: null,
    };
  }
}

/** A reply that is not quiet is an alert, whatever it has in its middle. */
function judge({ status, error, reply }: TurnOutcome): {
  readonly outcome: WakeOutcome;
  readonly error: Failure | null;
} {
  if (status !== "completed") return { outcome: status, error };
  if (isQuiet(reply)) return { outcome: "quiet", error };
  if (reply.trim() !== "") return { outcome: "alert", error };
  return { outcome: "failed", error: { code: "EMPTY_REPLY", message: "The model answered with nothing" } };
}

async function isBusy(conversations: ConversationsService, id: ConversationId): Promise<boolean> {
  try {
    return (await conversations.get(id)).status !== "idle";
  } catch (error) {
    if (isPassing(error)) throw error;
    return false; // Why it cannot be used is told when it is sent there.
  }
}

function wakeView(wake: StoredWake): HeartbeatWake {
  const { id, outcome, conversationId, turnId, reply, repeated, tokens, error } = wake;
  const endedAt = wake.endedMs === null ? null : timestamp(wake.endedMs);
  return {
    id,
    dueAt: timestamp(wake.dueMs),
    outcome,
    conversationId,
    turnId,
    endedAt,
    reply,
    repeated,
    tokens,
    error,
  };
}

function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}
