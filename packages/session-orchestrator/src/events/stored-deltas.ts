import type { StorageWrite } from "@incipit/kernel";
import { lazySchema, type TurnEvent } from "@incipit/schema";
import * as z from "zod";
import { keys } from "../store/stored.ts";

type Delta = Extract<TurnEvent, { type: "text-delta" | "reasoning-delta" }>;
type WithPart = Pick<Delta, "type" | "stepId" | "partId" | "text">;

export const maxDeltaLength = 16_384;
/** Per merge, which deletes that many rows in one commit. */
const maxPieces = 1_000;

/** Resume positions within a merged delta: the length of each original delta, in UTF-16 units. */
export const mergedPiecesSchema = lazySchema(() => z.object({ pieceLengths: z.array(z.int().nonnegative()) }));

export function isDelta<Event extends { readonly type: string }>(
  event: Event,
): event is Extract<Event, { type: "text-delta" | "reasoning-delta" }> {
  return event.type === "text-delta" || event.type === "reasoning-delta";
}

export function isSamePart(a: WithPart, b: WithPart): boolean {
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
