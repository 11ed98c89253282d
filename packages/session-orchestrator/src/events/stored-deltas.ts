import type { StorageWrite } from "@incipit/kernel";
import { lazySchema, type TurnEvent } from "@incipit/schema";
import * as z from "zod";
import { keys } from "../store/stored.ts";

type Delta = Extract<TurnEvent, { type: "text-delta" | "reasoning-delta" }>;
type WithPart = Pick<Delta, "type" | "stepId" | "partId" | "text">;

/** Longest text of one stored delta, in UTF-16 units. */
export const maxDeltaLength = 16_384;
/** Most deltas that one merged delta stands for: so many rows are deleted in the commit that merges them. */
const maxPieces = 1_000;

/** Where a follower can come back inside a merged delta: the length, in UTF-16 units, of what each of its numbers stands for. */
export const mergedPiecesSchema = lazySchema(() => z.object({ pieceLengths: z.array(z.int().nonnegative()) }));

export function isDelta<Event extends { readonly type: string }>(
  event: Event,
): event is Extract<Event, { type: "text-delta" | "reasoning-delta" }> {
  return event.type === "text-delta" || event.type === "reasoning-delta";
}

export function isSamePart(a: WithPart, b: WithPart): boolean {
  return a.type === b.type && a.partId === b.partId && a.stepId === b.stepId;
}

/**
 * Turns events into the writes that store them. A delta is stored as it comes; once something else follows it, it and those
 * of its part right before it become one, in the commit of what follows.
 */
export class StoredDeltas {
  readonly #conversationId: string;
  /** Deltas of one part, one right behind the other. */
  #run: Delta[] = [];
  #runLength = 0;
  /** How many of the run are on disk. */
  #storedCount = 0;

  constructor(conversationId: string) {
    this.#conversationId = conversationId;
  }

  /** The writes of a commit; call `forget` when it failed. */
  writesOf(events: readonly TurnEvent[]): readonly StorageWrite[] {
    const writes: StorageWrite[] = [];
    for (const event of events) {
      if (!this.#continues(event)) writes.push(...this.#endRun());
      if (isDelta(event)) {
        this.#run.push(event);
        this.#runLength += event.text.length;
      } else writes.push(this.#set(event));
    }
    for (const event of this.#run.slice(this.#storedCount)) writes.push(this.#set(event));
    this.#storedCount = this.#run.length;
    return writes;
  }

  /** What is stored of the run stays as it is. */
  forget(): void {
    this.#run = [];
    this.#runLength = 0;
    this.#storedCount = 0;
  }

  #continues(event: TurnEvent): boolean {
    const last = this.#run.at(-1);
    return (
      last !== undefined &&
      isDelta(event) &&
      isSamePart(event, last) &&
      this.#run.length < maxPieces &&
      this.#runLength + event.text.length <= maxDeltaLength
    );
  }

  #endRun(): readonly StorageWrite[] {
    const run = this.#run;
    const storedCount = this.#storedCount;
    this.forget();
    const [first] = run;
    const last = run.at(-1);
    if (first === undefined || last === undefined) return [];
    if (first === last) return storedCount === 0 ? [this.#set(first)] : [];
    const merged = {
      ...last,
      fromSeq: first.seq,
      text: run.map(({ text }) => text).join(""),
      pieceLengths: run.map(({ text }) => text.length),
    };
    const stale = run.slice(0, Math.min(storedCount, run.length - 1));
    return [
      ...stale.map(({ seq }) => ({ kind: "delete", key: keys.event(this.#conversationId, seq) }) as const),
      { kind: "set", key: keys.event(this.#conversationId, last.seq), value: merged },
    ];
  }

  #set(event: TurnEvent): StorageWrite {
    return { kind: "set", key: keys.event(this.#conversationId, event.seq), value: event };
  }
}

/** What of a merged delta comes after `afterSeq`, which lies inside it. */
export function restOf(
  event: Delta,
  { afterSeq, pieceLengths }: z.infer<typeof mergedPiecesSchema> & { readonly afterSeq: number },
): Delta {
  const { fromSeq = event.seq, ...rest } = event;
  const known = pieceLengths.slice(0, afterSeq + 1 - fromSeq).reduce((sum, length) => sum + length, 0);
  const text = event.text.slice(known);
  return afterSeq + 1 === event.seq ? { ...rest, text } : { ...rest, fromSeq: afterSeq + 1, text };
}
