import type { RE2JS } from "re2js";
import { joined } from "./merge-spans.ts";
import { jsonStrings } from "./json-strings.ts";
import type { Rule, Span } from "./rule.ts";

/** How far before new text a match may begin. */
const overlap = 4_096;

/**
 * Arguments of a tool call are JSON inside a JSON string, and may quote further levels. Each level costs as much
 * again.
 */
const jsonDepth = 4;

/**
 * Compiles RE2 syntax, which runs in linear time: https://github.com/google/re2/wiki/Syntax
 *
 * @throws {Error} with the problem of the pattern.
 */
export async function compilePattern(source: string): Promise<RE2JS> {
  // Loaded on demand: most hosts have no patterns.
  const { RE2JS } = await import("re2js");
  const pattern = RE2JS.compile(source);
  if (pattern.test("")) throw new Error("it fits an empty text, and so everywhere");
  return pattern;
}

/**
 * Matches as a whole, ignoring groups. In JSON, decoded strings are searched too, so that `^`, `$`, `\b` and `\s`
 * match their line breaks.
 */
export function operatorRule(pattern: RE2JS): Rule {
  return {
    kind: "pattern",
    overlap,
    find: (text, from) => joined(foundIn(pattern, text, { from, depth: jsonDepth })),
  };
}

function foundIn(
  pattern: RE2JS,
  text: string,
  { from, depth }: { readonly from: number; readonly depth: number },
): readonly Span[] {
  const found = matches(pattern, text, from);
  if (depth === 0) return found;
  for (const { value, placeOf } of jsonStrings(text, from)) {
    const inner = { from: indexAt(placeOf, value.length, from), depth: value.includes('"') ? depth - 1 : 0 };
    for (const { start, end } of foundIn(pattern, value, inner))
      found.push({ start: placeOf(start), end: placeOf(end) });
  }
  return found;
}

function matches(pattern: RE2JS, text: string, from: number): Span[] {
  const found: Span[] = [];
  const matcher = pattern.matcher(text);
  for (let isFound = matcher.find(from); isFound; isFound = matcher.find()) {
    const [start, end] = [matcher.start(), matcher.end()];
    if (end > start) found.push({ start, end });
  }
  return found;
}

function indexAt(placeOf: (index: number) => number, length: number, from: number): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (placeOf(middle) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
