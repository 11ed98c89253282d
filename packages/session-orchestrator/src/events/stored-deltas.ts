import type { StorageWrite } from "@incipit/kernel";
import { lazySchema, type TurnEvent } from "@incipit/schema";
import { keys } from "../store/stored.ts";
import type { NewEvent } from "./event-log.ts";
import * as z from "zod";

type Delta = Extract<TurnEvent, { type: "text-delta" | "reasoning-delta" }>;
type WithPart = Pick<Delta, "type" | "stepId" | "partId" | "text">;

const maxDeltaLength = 16_384;
/** Per merge, which deletes that many rows in one commit. */
const maxPieces = 1_000;

/** Resume positions within a merged delta: the length of each original delta, in UTF-16 units. */
export const mergedPiecesSchema = lazySchema(() => z.object({ pieceLengths: z.array(z.int().nonnegative()) }));

export function isDelta<Event extends { readonly type: string }>(
  event: Event,
): event is Extract<Event, { type: "text-delta" | "reasoning-delta" }> {
  return event.type === "text-delta" || event.type === "reasoning-delta";
}

function isSamePart(a: WithPart, b: WithPart): boolean {
  return a.type === b.type && a.partId === b.partId && a.stepId === b.stepId;
}

interface DeltaRun {
  readonly first: Delta;
  last: Delta;
  readonly texts: string[];
  length: number;
  unstored: Delta[];
}

/**
 * Deltas are stored as they arrive; when another event follows, adjacent deltas of a part are merged in the same
 * commit.
 */
export class StoredDeltas {
  readonly #conversationId: string;
  #run: DeltaRun | undefined;

  constructor(conversationId: string) {
    this.#conversationId = conversationId;
  }

  /** Call `forget` if the commit fails. */
  writesOf(events: readonly TurnEvent[]): readonly StorageWrite[] {
    const writes: StorageWrite[] = [];
    for (const event of events) {
      if (isDelta(event) && this.#continues(event)) continue;
      writes.push(...this.#endRun());
      if (isDelta(event))
        this.#run = {
          first: event,
          last: event,
          texts: [event.text],
          length: event.text.length,
          unstored: [event],
        };
      else writes.push(this.#set(event));
    }
    if (this.#run === undefined) return writes;
    for (const event of this.#run.unstored) writes.push(this.#set(event));
    this.#run.unstored = [];
    return writes;
  }

  forget(): void {
    this.#run = undefined;
  }

  #continues(event: Delta): boolean {
    const run = this.#run;
    if (
      run === undefined ||
      !isSamePart(event, run.last) ||
      run.texts.length >= maxPieces ||
      run.length + event.text.length > maxDeltaLength
    )
      return false;
    run.last = event;
    run.texts.push(event.text);
    run.length += event.text.length;
    run.unstored.push(event);
    return true;
  }

  #endRun(): readonly StorageWrite[] {
    const run = this.#run;
    this.forget();
    if (run === undefined) return [];
    const { first, last, texts } = run;
    if (first === last) return run.unstored.map((event) => this.#set(event));
    const merged = {
      ...last,
      fromSeq: first.seq,
      text: texts.join(""),
      pieceLengths: texts.map(({ length }) => length),
    };
    const staleCount = Math.min(texts.length - run.unstored.length, texts.length - 1);
    return [
      ...Array.from({ length: staleCount }, (_, index) => {
        const key = keys.event(this.#conversationId, first.seq + index);
        return { kind: "delete", key } as const;
      }),
      { kind: "set", key: keys.event(this.#conversationId, last.seq), value: merged },
    ];
  }

  #set(event: TurnEvent): StorageWrite {
    return { kind: "set", key: keys.event(this.#conversationId, event.seq), value: event };
  }
}

export function restOf(
  event: Delta,
  { afterSeq, pieceLengths }: z.infer<typeof mergedPiecesSchema> & { readonly afterSeq: number },
): Delta {
  const { fromSeq = event.seq, ...rest } = event;
  const known = pieceLengths.slice(0, afterSeq + 1 - fromSeq).reduce((sum, length) => sum + length, 0);
  const text = event.text.slice(known);
  return afterSeq + 1 === event.seq ? { ...rest, text } : { ...rest, fromSeq: afterSeq + 1, text };
}

export interface TimedEvent {
  readonly event: NewEvent;
  readonly at: string;
}

export function joinDeltas(events: readonly TimedEvent[]): readonly TimedEvent[] {
  const joined: TimedEvent[] = [];
  for (const { event, at } of events) {
    if (!isDelta(event)) {
      joined.push({ event, at });
      continue;
    }
    for (const text of slices(event.text)) {
      const last = joined.at(-1);
      if (
        last !== undefined &&
        isDelta(last.event) &&
        isSamePart(last.event, event) &&
        last.event.text.length + text.length <= maxDeltaLength
      )
        joined[joined.length - 1] = { event: { ...last.event, text: last.event.text + text }, at: last.at };
      else joined.push({ event: { ...event, text }, at });
    }
  }
  return joined;
}

/** Keeps surrogate pairs together. */
function slices(text: string): readonly string[] {
  if (text.length <= maxDeltaLength) return [text];
  const found: string[] = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + maxDeltaLength, text.length);
    if (end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end -= 1;
    found.push(text.slice(start, end));
    start = end;
  }
  return found;
}

/** Imperceptible delay for readers; one commit per delta would dominate the cost. */
const paceMs = 5;

/**
 * Deltas within 5 ms of another conversation's wait for the end of that interval, to share a commit. Those of a
 * single conversation wait for the next turn of the event loop, so that a reply that arrives at once is stored with
 * its end. Uses machine time, because it paces the disk.
 */
export class DeltaPace {
  #lastMs = Number.NEGATIVE_INFINITY;
  #lastOwner: object | undefined;
  #next: Promise<void> | undefined;

  /** Resolves when the next commit starts. `owner` identifies the conversation. */
  next(owner: object): Promise<void> {
    if (this.#next !== undefined) return this.#next;
    const nowMs = performance.now();
    const waitMs = this.#lastMs + paceMs - nowMs;
    if (waitMs <= 0 || this.#lastOwner === owner) {
      this.#lastMs = nowMs;
      this.#lastOwner = owner;
      return new Promise((resolve) => setImmediate(resolve));
    }
    this.#next = new Promise((resolve) => {
      setTimeout(() => {
        this.#next = undefined;
        this.#lastMs = performance.now();
        this.#lastOwner = undefined;
        resolve();
      }, waitMs);
    });
    return this.#next;
  }
}
