import type { Message } from "@incipit/schema";

const lineHeightPx = 24;
const lineLength = 90;
const otherLinesPx = 120;
const tallestPx = 20_000;

/** Measured if drawn, else estimated. */
export class MessageHeights {
  readonly #measured = new Map<string, number>();
  #positions: Float64Array = new Float64Array(1);
  #of: readonly Message[] | undefined;

  note(id: string, heightPx: number): boolean {
    if (this.#measured.get(id) === heightPx) return false;
    this.#measured.set(id, heightPx);
    this.#of = undefined;
    return true;
  }

  /** The last entry is the end of the list. */
  positions(messages: readonly Message[]): Float64Array {
    if (this.#of === messages) return this.#positions;
    const positions = new Float64Array(messages.length + 1);
    let top = 0;
    for (const [index, message] of messages.entries()) {
      top += this.#measured.get(message.id) ?? estimate(message);
      positions[index + 1] = top;
    }
    this.#positions = positions;
    this.#of = messages;
    return positions;
  }
}

function estimate({ parts }: Message): number {
  let length = 0;
  for (const part of parts) if (part.type === "text") length += part.text.length;
  return Math.min(tallestPx, otherLinesPx + Math.ceil(length / lineLength) * lineHeightPx);
}

export function indexAt(positions: Float64Array, placePx: number): number {
  let [low, high] = [0, Math.max(0, positions.length - 2)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((positions[middle] ?? 0) <= placePx) low = middle;
    else high = middle - 1;
  }
  return low;
}

export type Run =
  | { readonly kind: "gap"; readonly key: string; readonly heightPx: number }
  | { readonly kind: "message"; readonly index: number };

export function runsOf(
  positions: Float64Array,
  span: { readonly start: number; readonly end: number },
  kept: ReadonlySet<number>,
): readonly Run[] {
  const count = positions.length - 1;
  const single = [...kept].filter((index) => index < count && (index < span.start || index >= span.end));
  const between = Array.from({ length: Math.max(0, span.end - span.start) }, (_, index) => span.start + index);
  const runs: Run[] = [];
  let next = 0;
  for (const index of [...single, ...between].toSorted((a, b) => a - b)) {
    if (index > next) runs.push(gap(positions, next, index));
    runs.push({ kind: "message", index });
    next = index + 1;
  }
  if (next < count) runs.push(gap(positions, next, count));
  return runs;
}

function gap(positions: Float64Array, start: number, end: number): Run {
  const heightPx = (positions[end] ?? 0) - (positions[start] ?? 0);
  // Stable key while the message after the gap is drawn.
  return { kind: "gap", key: `gap-${end === positions.length - 1 ? "end" : end}`, heightPx };
}
