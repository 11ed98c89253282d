import type { RE2JS } from "re2js";
import type { Rule, Span } from "./rule.ts";

/** Longest that is looked back for the beginning of what an operator's expression finds. */
const overlap = 4_096;

/**
 * An expression in RE2's syntax, which runs in linear time: https://github.com/google/re2/wiki/Syntax
 * @throws {Error} that says what is wrong with it.
 */
export async function compilePattern(source: string): Promise<RE2JS> {
  // Loaded where somebody has a pattern: most hosts have none.
  const { RE2JS } = await import("re2js");
  const pattern = RE2JS.compile(source);
  if (pattern.test("")) throw new Error("it fits an empty text, and so everywhere");
  return pattern;
}

/** What is found of the operator's own pattern; a group in it is not the secret alone, the whole is. */
export function operatorRule(pattern: RE2JS): Rule {
  return {
    kind: "pattern",
    overlap,
    find(text, from) {
      const found: Span[] = [];
      const matcher = pattern.matcher(text);
      for (let isFound = matcher.find(from); isFound; isFound = matcher.find()) {
        const [start, end] = [matcher.start(), matcher.end()];
        if (end > start) found.push({ start, end });
      }
      return found;
    },
  };
}
