import { fold } from "./fold.ts";

/**
 * What is looked for, each as a pattern over folded text: the words of a query, and its "quoted phrases", whose words have
 * white space between them. Empty: there is no word in it.
 */
export function searchTerms(query: string): readonly RegExp[] {
  const terms = query.matchAll(/"([^"]*)"?|[^\s"]+/gu).map(([text, phrase = text]) => {
    const words = fold(phrase).split(/\s+/u);
    return words.filter((word) => word !== "").map((word) => RegExp.escape(word));
  });
  const sources = terms.flatMap((words) => (words.length === 0 ? [] : [words.join("\\s+")]));
  return [...new Set(sources)].map((source) => new RegExp(source, "gu"));
}
