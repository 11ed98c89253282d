import type { Rule, Span } from "./rule.ts";

/** Longest that is looked back for the beginning of a secret of a known shape. */
const overlap = 4_096;

export interface Shape {
  readonly kind: string;
  /** What one begins with, at least three characters. Looked for first, which is much quicker than an expression. */
  readonly beginnings: readonly string[];
  /** Must not stand in front of it: else it is the end of another word. */
  readonly notBehind: RegExp;
  /**
   * What follows the beginning, sticky. Has one run of characters at most that may be any length, and that run never goes over
   * a place where another one may begin: time then grows as the text does.
   */
  readonly rest: RegExp;
  /** Finds the secret in the whole that is found; absent: all of it. */
  readonly secret?: (found: string) => Span;
}

const shortEscape = /^\\[bfnrt]$/;
const longEscape = /^\\u[0-9a-fA-F]{4}$/;

/** Bodies are JSON: what ends a line there is a backslash and a letter, which is no beginning of a word. */
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
