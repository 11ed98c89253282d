import type { TurnEvent } from "@incipit/schema";

type Delta = Extract<TurnEvent, { type: "text-delta" | "reasoning-delta" }>;
export type MergedDelta = Omit<Delta, "at"> & { readonly fromSeq: number };
export type MergedEvent = Exclude<TurnEvent, Delta> | MergedDelta;

/** Merges consecutive deltas of one part, as storage may, and drops times, to compare two followers. */
export function mergeDeltas(events: readonly TurnEvent[]): readonly MergedEvent[] {
  const merged: MergedEvent[] = [];
  for (const event of events) {
    if (event.type !== "text-delta" && event.type !== "reasoning-delta") {
      merged.push(event);
      continue;
    }
    const { at: _, fromSeq = event.seq, ...delta } = event;
    const last = merged.at(-1);
    if (
      last?.type === event.type &&
      last.partId === event.partId &&
      last.stepId === event.stepId &&
      last.seq + 1 === fromSeq
    )
      merged[merged.length - 1] = { ...delta, fromSeq: last.fromSeq, text: last.text + event.text };
    else merged.push({ ...delta, fromSeq });
  }
  return merged;
}

/** @param afterSeq The number before the first event. */
export function numberProblems(events: readonly TurnEvent[], afterSeq = 0): readonly string[] {
  const problems: string[] = [];
  let newest = afterSeq;
  for (const event of events) {
    const first = "fromSeq" in event ? (event.fromSeq ?? event.seq) : event.seq;
    if (first !== newest + 1) problems.push(`${event.type} ${first} to ${event.seq} comes after ${newest}`);
    newest = event.seq;
  }
  return problems;
}
