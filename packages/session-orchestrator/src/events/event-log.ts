import {
  errorMessage,
  KernelError,
  type Clock,
  type Storage,
  type StorageBatch,
  type StorageWrite,
} from "@incipit/kernel";
import { turnEventSchema, type TurnEvent, type TurnId } from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";
import { eventLength, EventPages } from "./event-pages.ts";
import {
  type DeltaPace,
  joinDeltas,
  type TimedEvent,
  isDelta,
  mergedPiecesSchema,
  restOf,
  StoredDeltas,
} from "./stored-deltas.ts";
import { conversationUnknown } from "../failures/service-errors.ts";
import { keys } from "../store/stored.ts";

type WithoutNumber<Event> = Event extends TurnEvent ? Omit<Event, "seq" | "at"> : never;
export type NewEvent = WithoutNumber<TurnEvent>;

interface Entry {
  readonly events: readonly NewEvent[];
  readonly writes: readonly StorageWrite[];
  readonly join: readonly StorageBatch[];
  readonly survives: "process" | "machine";
  /** Whether it may be delayed, to batch it with other conversations. */
  readonly isPatient: boolean;
}

/** Committed first, shown at the requested durability. */
interface PendingWrite extends Omit<Entry, "events"> {
  readonly events: readonly TimedEvent[];
  readonly committed: PromiseWithResolvers<void>;
  readonly shown: PromiseWithResolvers<void> | undefined;
}

/** Result of appending an event. Both promises reject, or neither does. */
export interface Appended {
  /** Committed: survives the end of the process. */
  readonly committed: Promise<void>;
  /** Durable on disk and visible, and thereby acknowledged. */
  readonly shown: Promise<void>;
}

interface Commit {
  readonly onDisk: Promise<void> | undefined;
}

interface CommittedGroup {
  readonly entries: readonly PendingWrite[];
  readonly events: readonly TurnEvent[];
  readonly needsDisk: boolean;
}

export interface EventLogOptions {
  readonly conversationId: string;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly lastSeq: number;
  readonly pace: DeltaPace;
  readonly maxRecent: () => number;
}

const maxRecentLength = 1_048_576;
const maxPending = 256;

/**
 * Events are shown only after they are stored, so no visible event is lost and no number is reused. Writes during a
 * commit are batched into the next; adjacent deltas of one part become one event:
 * docs/decisions/2026-11-23-commit-durability-and-deltas.md.
 */
export class EventLog {
  readonly #options: EventLogOptions;
  readonly #deltas: StoredDeltas;
  readonly #recent: TurnEvent[] = [];
  readonly #pages = new EventPages((afterSeq, limit) => this.#read(afterSeq, limit));
  #recentLength = 0;
  readonly #waiting = new Set<() => void>();
  #pending: PendingWrite[] = [];
  #isWriting = false;
  #hurry: (() => void) | undefined;
  readonly #unshown: CommittedGroup[] = [];
  #isClosed = false;
  #isEnded = false;
  #followerCount = 0;
  #lastCommitted: number;
  #lastShown: number;

  constructor(options: EventLogOptions) {
    this.#options = options;
    this.#deltas = new StoredDeltas(options.conversationId);
    this.#lastCommitted = options.lastSeq;
    this.#lastShown = options.lastSeq;
  }

  get lastSeq(): number {
    return this.#lastShown;
  }

  get isBehind(): boolean {
    return this.#pending.length > maxPending;
  }

  get recentLength(): number {
    return this.#recentLength;
  }

  get hasFollowers(): boolean {
    return this.#followerCount > 0;
  }

  /** In one transaction; resolves when durable. */
  append(
    events: readonly NewEvent[],
    writes: readonly StorageWrite[] = [],
    join: readonly StorageBatch[] = [],
  ): Promise<void> {
    return this.begin(events, writes, join).shown;
  }

  /** Like `append`, but the caller may continue after the commit; later events are shown after these. */
  begin(
    events: readonly NewEvent[],
    writes: readonly StorageWrite[],
    join: readonly StorageBatch[] = [],
  ): Appended {
    const shown = Promise.withResolvers<void>();
    // Most callers await only one of the two promises.
    shown.promise.catch(() => undefined);
    const committed = this.#enqueue({ events, writes, join, survives: "machine", isPatient: false }, shown);
    committed.catch(() => undefined);
    return { committed, shown: shown.promise };
  }

  /**
   * Like `append`, for intermediate events of a turn: survives the end of the process, but a loss of power, which
   * interrupts the turn anyway, only with the next `append`.
   */
  show(events: readonly NewEvent[], writes: readonly StorageWrite[] = []): Promise<void> {
    return this.#enqueue({ events, writes, join: [], survives: "process", isPatient: writes.length === 0 });
  }

  async *follow(
    afterSeq: number,
    options: { readonly turnId?: TurnId; readonly signal?: AbortSignal },
  ): AsyncGenerator<TurnEvent> {
    const { turnId, signal } = options;
    const wakeUp = (): void => this.#wake();
    signal?.addEventListener("abort", wakeUp);
    let cursor = afterSeq;
    this.#followerCount += 1;
    try {
      // A function, because the signal changes during awaits.
      const isEnded = (): boolean => signal?.aborted === true;
      while (!isEnded()) {
        const event = this.#recentAfter(cursor) ?? this.#pageAfter(cursor) ?? (await this.#storedAfter(cursor));
        if (event !== undefined) {
          cursor = event.seq;
          if (turnId === undefined || event.turnId === turnId) yield event;
          if (turnId !== undefined && event.turnId === turnId && event.type === "turn-end") return;
          continue;
        }
        if (cursor < this.#lastShown && !this.#isEnded) continue;
        if (this.#isClosed || isEnded()) return;
        await new Promise<void>((resolve) => this.#waiting.add(resolve));
      }
    } finally {
      this.#followerCount -= 1;
      if (this.#followerCount === 0) this.#pages.forget();
      signal?.removeEventListener("abort", wakeUp);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  /**
   * Commits the deletion. Followers receive the events in memory and end, because the stored ones are gone. When it
   * rejects, the log is still open.
   */
  async end(writes: readonly StorageWrite[]): Promise<void> {
    const stored = this.append([], writes);
    this.#isEnded = true;
    try {
      await stored;
    } catch (error) {
      this.#isEnded = false;
      throw error;
    }
    this.close();
  }

  #recentAfter(cursor: number): TurnEvent | undefined {
    const oldest = this.#recent[0]?.seq;
    return oldest === undefined ? undefined : this.#recent[cursor + 1 - oldest];
  }

  #pageAfter(cursor: number): TurnEvent | undefined {
    const event = this.#pages.known(cursor);
    return event !== undefined && isDelta(event) && (event.fromSeq ?? cursor + 1) <= cursor ? undefined : event;
  }

  async #storedAfter(cursor: number): Promise<TurnEvent | undefined> {
    if (cursor >= this.#lastShown || this.#isEnded) return undefined;
    const stored = await this.#pages.next(cursor);
    const event = stored === undefined ? undefined : await this.#restOf(stored, cursor);
    return this.#isEnded ? undefined : event; // Some events may have been deleted.
  }

  async #read(afterSeq: number, limit: number): Promise<readonly TurnEvent[]> {
    const range = {
      start: keys.event(this.#options.conversationId, afterSeq + 1),
      end: keys.event(this.#options.conversationId, this.#lastShown + 1),
      limit,
    };
    const page = await this.#options.storage.list(range, turnEventSchema);
    return page.map(({ value }) => value);
  }

  async #restOf(event: TurnEvent, afterSeq: number): Promise<TurnEvent> {
    if (!isDelta(event) || event.fromSeq === undefined || event.fromSeq > afterSeq) return event;
    const merged = await this.#options.storage.get(
      keys.event(this.#options.conversationId, event.seq),
      mergedPiecesSchema,
    );
    return merged === undefined ? event : restOf(event, { afterSeq, ...merged });
  }

  #enqueue({ events, ...rest }: Entry, shown?: PromiseWithResolvers<void>): Promise<void> {
    const committed = Promise.withResolvers<void>();
    const entry: PendingWrite = { ...rest, events: this.#timed(events), committed, shown };
    if (this.#isEnded) reject([entry], conversationUnknown(this.#options.conversationId));
    else {
      this.#pending.push(entry);
      if (!entry.isPatient) this.#hurry?.();
      if (!this.#isWriting) void this.#write();
    }
    return committed.promise;
  }

  #timed(events: readonly NewEvent[]): readonly TimedEvent[] {
    const at = new Date(this.#options.clock.now()).toISOString();
    return events.map((event) => ({ event, at }));
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    // One microtask, so that the effects of one model event share a commit.
    await Promise.resolve();
    while (this.#pending.length > 0) {
      await this.#waitForOthers();
      const group = this.#pending;
      this.#pending = [];
      const joined = joinDeltas(group.flatMap((entry) => entry.events));
      const events = joined.map(({ event, at }, index) => ({
        ...event,
        seq: this.#lastCommitted + index + 1,
        at,
      }));
      let commit: Commit;
      try {
        commit = await this.#commit(group, events);
      } catch (error) {
        this.#deltas.forget();
        const failed = [...group, ...this.#pending];
        this.#pending = [];
        reject(failed, storageFailure(error));
        continue;
      }
      this.#lastCommitted = events.at(-1)?.seq ?? this.#lastCommitted;
      for (const { committed } of group) committed.resolve();
      this.#showOnce(commit, { entries: group, events, needsDisk: commit.onDisk !== undefined });
    }
    this.#isWriting = false;
  }

  async #waitForOthers(): Promise<void> {
    if (!this.#pending.every(({ isPatient }) => isPatient)) return;
    const others = this.#options.pace.next(this);
    await new Promise<void>((resolve) => {
      this.#hurry = resolve;
      void others.then(resolve);
    });
    this.#hurry = undefined;
  }

  async #commit(group: readonly PendingWrite[], events: readonly TurnEvent[]): Promise<Commit> {
    const writes = [...this.#deltas.writesOf(events), ...group.flatMap((entry) => entry.writes)];
    const join = group.flatMap((entry) => entry.join);
    if (writes.length + join.length === 0) return { onDisk: undefined };
    const survives = group.some((entry) => entry.survives === "machine") ? "machine" : "process";
    const committed = Promise.withResolvers<void>();
    const stored = this.#options.storage
      .atomic([], writes, { join, survives, onCommitted: () => committed.resolve() })
      .then((result) => {
        if (result.kind === "conflict") throw new Error(`the storage reports a conflict at "${result.key}"`);
      });
    let isOnDisk = false;
    stored.then(
      () => (isOnDisk = true),
      () => undefined, // Callers of `shown` receive the error.
    );
    await Promise.race([committed.promise, stored]);
    return { onDisk: survives === "process" || isOnDisk ? undefined : stored };
  }

  #showOnce({ onDisk }: Commit, group: CommittedGroup): void {
    if (onDisk === undefined && this.#unshown.length === 0) return this.#show(group);
    this.#unshown.push(group);
    onDisk?.then(
      () => this.#showUpTo(group),
      // Its numbers are not reused, because the events may be on disk. They are shown with the next durable commit.
      (error: unknown) => reject(group.entries, storageFailure(error)),
    );
  }

  /** With all groups before it, and following ones that need no durability. */
  #showUpTo(group: CommittedGroup): void {
    const place = this.#unshown.indexOf(group);
    if (place === -1) return;
    let count = place + 1;
    while (this.#unshown[count]?.needsDisk === false) count += 1;
    for (const shown of this.#unshown.splice(0, count)) this.#show(shown);
  }

  #show({ entries, events }: CommittedGroup): void {
    this.#lastShown = events.at(-1)?.seq ?? this.#lastShown;
    this.#keep(events);
    for (const { shown } of entries) shown?.resolve();
    if (events.length > 0) this.#wake();
  }

  #keep(events: readonly TurnEvent[]): void {
    this.#recent.push(...events);
    for (const event of events) this.#recentLength += eventLength(event);
    const maxRecent = this.#options.maxRecent();
    let stale = 0;
    for (const event of this.#recent) {
      if (this.#recent.length - stale <= maxRecent && this.#recentLength <= maxRecentLength) break;
      this.#recentLength -= eventLength(event);
      stale += 1;
    }
    this.#recent.splice(0, stale);
  }
}

/** Their numbers may be reused, because no event was visible. */
function reject(entries: readonly PendingWrite[], error: ServiceError): void {
  for (const { committed, shown } of entries) {
    committed.reject(error);
    shown?.reject(error);
  }
}

function storageFailure(cause: unknown): ServiceError {
  const reason = errorMessage(cause);
  return KernelError.is(cause)
    ? new ServiceError("SERVICE_UNAVAILABLE", reason, { cause })
    : new ServiceError("STORAGE_FAILED", `Cannot store an event: ${reason}`, { cause });
}
