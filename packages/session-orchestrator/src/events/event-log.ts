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
import { eventLength } from "./event-length.ts";
import type { DeltaPace } from "./delta-pace.ts";
import { EventPages } from "./event-pages.ts";
import { joinDeltas, type TimedEvent } from "./join-deltas.ts";
import { isDelta, mergedPiecesSchema, restOf, StoredDeltas } from "./stored-deltas.ts";
import { conversationUnknown } from "../failures/conversation-unknown.ts";
import { keys } from "../store/stored.ts";

type WithoutNumber<Event> = Event extends TurnEvent ? Omit<Event, "seq" | "at"> : never;
/** An event before the log gave it its number and time. */
export type NewEvent = WithoutNumber<TurnEvent>;

interface Entry {
  readonly events: readonly NewEvent[];
  readonly writes: readonly StorageWrite[];
  readonly join: readonly StorageBatch[];
  readonly survives: "process" | "machine";
  /** It may wait a little to share its commit with what other conversations say. */
  readonly isPatient: boolean;
}

/** What is on its way: it is committed first, and shown once it is as safe as it has to be. */
interface PendingWrite extends Omit<Entry, "events"> {
  readonly events: readonly TimedEvent[];
  readonly committed: PromiseWithResolvers<void>;
  /** Absent: nobody waits for it. */
  readonly shown: PromiseWithResolvers<void> | undefined;
}

/** Both never reject without the other. */
export interface Appended {
  /** In storage: it survives the end of the process. */
  readonly committed: Promise<void>;
  /** On the disk, and shown: from here on it is acknowledged. */
  readonly shown: Promise<void>;
}

interface Commit {
  /** What has to be waited for before it is shown. */
  readonly onDisk: Promise<void> | undefined;
}

/** What one commit has stored. */
interface CommittedGroup {
  readonly entries: readonly PendingWrite[];
  readonly events: readonly TurnEvent[];
  /** It is shown once it is on the disk. */
  readonly needsDisk: boolean;
}

/** Size of the events that are kept in memory for followers, in UTF-16 units; an older one is read from storage. */
const maxRecentLength = 1_048_576;
/** Appends that wait for a commit; whoever appends without waiting should wait then. */
const maxPending = 256;

/**
 * The numbered events of one conversation. An event is shown once it is stored, so that what was seen is never lost and a
 * number never stands for two events. What is written while a commit runs goes into the next one: deltas of one part that
 * meet there are one event. Stored deltas are merged: docs/decisions/2026-11-21-merged-deltas.md.
 */
export class EventLog {
  readonly #conversationId: string;
  readonly #storage: Storage;
  readonly #clock: Clock;
  readonly #deltas: StoredDeltas;
  readonly #pace: DeltaPace;
  readonly #maxRecent: () => number;
  readonly #recent: TurnEvent[] = [];
  readonly #pages: EventPages;
  #recentLength = 0;
  readonly #waiting = new Set<() => void>();
  #pending: PendingWrite[] = [];
  #isWriting = false;
  /** Ends the wait for others. */
  #hurry: (() => void) | undefined;
  /** What is committed and not shown yet, in order: nothing before what has a lower number. */
  readonly #unshown: CommittedGroup[] = [];
  #isClosed = false;
  #isEnded = false;
  #followerCount = 0;
  #lastCommitted: number;
  #lastShown: number;

  constructor(options: {
    readonly conversationId: string;
    readonly storage: Storage;
    readonly clock: Clock;
    readonly lastSeq: number;
    /** One for all conversations. */
    readonly pace: DeltaPace;
    /** How many of the newest events may be kept in memory now. */
    readonly maxRecent: () => number;
  }) {
    this.#conversationId = options.conversationId;
    this.#storage = options.storage;
    this.#clock = options.clock;
    this.#pace = options.pace;
    this.#maxRecent = options.maxRecent;
    this.#deltas = new StoredDeltas(options.conversationId);
    this.#lastCommitted = options.lastSeq;
    this.#lastShown = options.lastSeq;
    this.#pages = new EventPages({ read: (afterSeq, limit) => this.#read(afterSeq, limit) });
  }

  /** The newest event that may be seen. */
  get lastSeq(): number {
    return this.#lastShown;
  }

  /** More waits to be stored than a commit or two will take. */
  get isBehind(): boolean {
    return this.#pending.length > maxPending;
  }

  /** Length of the events that are kept in memory, in UTF-16 units. */
  get recentLength(): number {
    return this.#recentLength;
  }

  get hasFollowers(): boolean {
    return this.#followerCount > 0;
  }

  /** Stores events and whatever belongs to them, in one transaction; resolves when they are on disk. */
  append(
    events: readonly NewEvent[],
    writes: readonly StorageWrite[] = [],
    join: readonly StorageBatch[] = [],
  ): Promise<void> {
    return this.begin(events, writes, join).shown;
  }

  /** As `append`, for whoever goes on once it is committed: what follows it is shown after it. */
  begin(
    events: readonly NewEvent[],
    writes: readonly StorageWrite[],
    join: readonly StorageBatch[] = [],
  ): Appended {
    const shown = Promise.withResolvers<void>();
    // Most wait for one of the two alone.
    shown.promise.catch(() => undefined);
    const committed = this.#enqueue({ events, writes, join, survives: "machine", isPatient: false }, shown);
    committed.catch(() => undefined);
    return { committed, shown: shown.promise };
  }

  /**
   * As `append`, for what happens on the way to a message: it survives the end of the process, and a loss of power with the
   * next `append`. Until then a turn is cut off there, as it is at whatever else it was doing.
   */
  show(events: readonly NewEvent[], writes: readonly StorageWrite[] = []): Promise<void> {
    return this.#enqueue({ events, writes, join: [], survives: "process", isPatient: writes.length === 0 });
  }

  /** Stored events after `afterSeq`, then new ones as they are stored, each once. */
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
      // The signal is read anew each time: it changes while this waits.
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

  /** Lets followers go once they have what is stored. */
  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  /**
   * Stores what ends the conversation itself; nothing can be appended behind it. From here on its events are gone from
   * storage: followers get those that are in memory, and go. When it rejects, it has not ended.
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

  /** Next event of a page in memory; not one that is merged and lies half behind the number. */
  #pageAfter(cursor: number): TurnEvent | undefined {
    const event = this.#pages.known(cursor);
    return event !== undefined && isDelta(event) && (event.fromSeq ?? cursor + 1) <= cursor ? undefined : event;
  }

  async #storedAfter(cursor: number): Promise<TurnEvent | undefined> {
    if (cursor >= this.#lastShown || this.#isEnded) return undefined;
    const stored = await this.#pages.next(cursor);
    const event = stored === undefined ? undefined : await this.#restOf(stored, cursor);
    return this.#isEnded ? undefined : event; // Perhaps half of them were gone.
  }

  async #read(afterSeq: number, limit: number): Promise<readonly TurnEvent[]> {
    const range = {
      start: keys.event(this.#conversationId, afterSeq + 1),
      end: keys.event(this.#conversationId, this.#lastShown + 1),
      limit,
    };
    const page = await this.#storage.list(range, turnEventSchema);
    return page.map(({ value }) => value);
  }

  /** Whoever comes back inside a merged delta gets what they do not have of it. */
  async #restOf(event: TurnEvent, afterSeq: number): Promise<TurnEvent> {
    if (!isDelta(event) || event.fromSeq === undefined || event.fromSeq > afterSeq) return event;
    const merged = await this.#storage.get(keys.event(this.#conversationId, event.seq), mergedPiecesSchema);
    return merged === undefined ? event : restOf(event, { afterSeq, ...merged });
  }

  /** Resolves once it is committed. */
  #enqueue({ events, ...rest }: Entry, shown?: PromiseWithResolvers<void>): Promise<void> {
    const committed = Promise.withResolvers<void>();
    const entry: PendingWrite = { ...rest, events: this.#timed(events), committed, shown };
    if (this.#isEnded) reject([entry], conversationUnknown(this.#conversationId));
    else {
      this.#pending.push(entry);
      if (!entry.isPatient) this.#hurry?.();
      if (!this.#isWriting) void this.#write();
    }
    return committed.promise;
  }

  #timed(events: readonly NewEvent[]): readonly TimedEvent[] {
    const at = new Date(this.#clock.now()).toISOString();
    return events.map((event) => ({ event, at }));
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    // A turn of the microtask queue: what one model event causes goes into one commit.
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

  /** While there is only what a model says on its way. */
  async #waitForOthers(): Promise<void> {
    if (!this.#pending.every(({ isPatient }) => isPatient)) return;
    const others = this.#pace.next(this);
    await new Promise<void>((resolve) => {
      this.#hurry = resolve;
      void others.then(resolve);
    });
    this.#hurry = undefined;
  }

  /** Resolves once all is committed. */
  async #commit(group: readonly PendingWrite[], events: readonly TurnEvent[]): Promise<Commit> {
    const writes = [...this.#deltas.writesOf(events), ...group.flatMap((entry) => entry.writes)];
    const join = group.flatMap((entry) => entry.join);
    if (writes.length + join.length === 0) return { onDisk: undefined };
    const survives = group.some((entry) => entry.survives === "machine") ? "machine" : "process";
    const committed = Promise.withResolvers<void>();
    const stored = this.#storage
      .atomic([], writes, { join, survives, onCommitted: () => committed.resolve() })
      .then((result) => {
        if (result.kind === "conflict") throw new Error(`the storage reports a conflict at "${result.key}"`);
      });
    let isOnDisk = false;
    stored.then(
      () => (isOnDisk = true),
      () => undefined, // Whoever waits for it is told.
    );
    await Promise.race([committed.promise, stored]);
    return { onDisk: survives === "process" || isOnDisk ? undefined : stored };
  }

  #showOnce({ onDisk }: Commit, group: CommittedGroup): void {
    if (onDisk === undefined && this.#unshown.length === 0) return this.#show(group);
    this.#unshown.push(group);
    onDisk?.then(
      () => this.#showUpTo(group),
      // Its numbers are not given again: it may be on the disk. It is shown with whatever reaches the disk behind it.
      (error: unknown) => reject(group.entries, storageFailure(error)),
    );
  }

  /** What is on the disk, as all before it is then; and what follows it and needs no disk. */
  #showUpTo(group: CommittedGroup): void {
    const place = this.#unshown.indexOf(group);
    if (place === -1) return; // One behind it was faster.
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
    const maxRecent = this.#maxRecent();
    let stale = 0;
    for (const event of this.#recent) {
      if (this.#recent.length - stale <= maxRecent && this.#recentLength <= maxRecentLength) break;
      this.#recentLength -= eventLength(event);
      stale += 1;
    }
    this.#recent.splice(0, stale);
  }
}

/** Numbers of events that were not committed are given again: nobody has seen them. */
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
    : new ServiceError("STORAGE_FAILED", `Cannot store what happened: ${reason}`, { cause });
}
