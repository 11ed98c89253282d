import { fold } from "./fold.ts";

/** Over folded text: words, and "quoted phrases" with any whitespace between words. */
export function searchTerms(query: string): readonly RegExp[] {
  const terms = query.matchAll(/"([^"]*)"?|[^\s"]+/gu).map(([text, phrase = text]) => {
    const words = fold(phrase).split(/\s+/u);
    return words.filter((word) => word !== "").map((word) => RegExp.escape(word));
  });
  const sources = terms.flatMap((words) => (words.length === 0 ? [] : [words.join("\\s+")]));
  return [...new Set(sources)].map((source) => new RegExp(source, "gu"));
}
