import type { Rule, Span } from "./rule.ts";

const overlap = 4_096;

export interface Shape {
  readonly kind: string;
  /** At least three characters; searched first, because that is much faster than an expression. */
  readonly beginnings: readonly string[];
  /** The prefix would otherwise be part of a word. */
  readonly notBehind: RegExp;
  /**
   * Sticky expression for the text after the prefix. At most one unbounded run, which must not cross a possible
   * start of another match, so that time is linear.
   */
  readonly rest: RegExp;
  /** Secret part of a match; defaults to the whole. */
  readonly secret?: (found: string) => Span;
}

const shortEscape = /^\\[bfnrt]$/;
const longEscape = /^\\u[0-9a-fA-F]{4}$/;

/** In JSON bodies, an escaped line end before the prefix looks like a letter. */
function isBehindEscape(text: string, start: number): boolean {
  return shortEscape.test(text.slice(start - 2, start)) || longEscape.test(text.slice(start - 6, start));
}

export function shapeRule({ kind, beginnings, notBehind, rest, secret }: Shape): Rule {
  return {
    kind,
    overlap,
    beginnings,
    find: (text, from, places) => {
      const all = beginnings.flatMap((beginning) => {
        const found: Span[] = [];
        let next = from;
        for (const start of places.get(beginning) ?? []) {
          if (start < next) continue;
          rest.lastIndex = start + beginning.length;
          const isWord = notBehind.test(text.charAt(start - 1)) && !isBehindEscape(text, start);
          if (isWord || !rest.test(text)) continue;
          next = rest.lastIndex;
          const inside = secret?.(text.slice(start, next)) ?? { start: 0, end: next - start };
          found.push({ start: start + inside.start, end: start + inside.end });
        }
        return found;
      });
      return all.toSorted((a, b) => a.start - b.start);
    },
  };
}
