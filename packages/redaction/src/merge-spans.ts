import type { Span } from "./rule.ts";

export function joined(spans: readonly Span[]): readonly Span[] {
  const all: { start: number; end: number }[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = all.at(-1);
    if (last === undefined || start >= last.end) all.push({ start, end });
    else last.end = Math.max(last.end, end);
  }
  return all;
}
