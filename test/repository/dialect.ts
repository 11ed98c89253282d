/** 10 to 1,000 times as frequent here as in the field, and not terms of it. */
const phrases =
  "told|tells|said|says|say so|nobody|somebody|whoever|whatever|asked|asks|beside|anew|meanwhile|gives|stands|goes on|goes|what is|what was|what it|what a|what the|what there|of what|with what|and what|for what|that is|that was|one that|those that|those of|another one|is no|is none|there is none|left out|as it is|as it was|as they are|of it|of them|of one|is there|in the place of|it is|it was|of its own|of one's own|in words|a text|by itself|at once|is asked|is told|that nobody".split(
    "|",
  );
const matchers = phrases.map((phrase) => new RegExp(`(?<![a-z'])${phrase}(?![a-z'])`, "g"));

export type ProseKind = "comments" | "tests" | "pages" | "strings";

/**
 * Four times the rate of hono, the MCP TypeScript SDK, pi and denoland/std, counted the same way on 2026-11-28. Strings
 * were not counted there: their rate is ours after the rewrite, to be lowered only.
 */
export const maxRates: Readonly<Record<ProseKind, number>> = {
  comments: 72,
  tests: 20,
  pages: 100,
  strings: 265,
};

export interface ProseLine {
  readonly text: string;
  readonly place: string;
}

export function proseLines(file: string, content: string): Readonly<Record<ProseKind, readonly ProseLine[]>> {
  const found: Record<ProseKind, ProseLine[]> = { comments: [], tests: [], pages: [], strings: [] };
  const isProgram = /\/src\//.test(file) && !/\.test\.tsx?$|\/testing\/|^packages\/testkit\//.test(file);
  let isFenced = false;
  for (const [index, line] of content.split("\n").entries()) {
    const place = `${file}:${index + 1}`;
    if (file.endsWith(".md")) {
      if (/^\s*(?:```|~~~)/.test(line)) isFenced = !isFenced;
      else if (!isFenced)
        found.pages.push({ place, text: line.replaceAll(/`[^`]*`/g, " ").replaceAll(/\]\([^)]*\)/g, " ") });
      continue;
    }
    const [, comment] = /^\s*(?:\/\/|\/\*\*?|\*)\s?(.*)$/.exec(line) ?? /\s\/\/ (.*)$/.exec(line) ?? [];
    if (comment !== undefined) found.comments.push({ place, text: comment.replaceAll(/`[^`]*`/g, " ") });
    else if (isProgram)
      for (const [, , text = ""] of line.matchAll(/(["'`])((?:\\.|(?!\1).)*)\1/g))
        if (/\S\s+\S+\s+\S/.test(text)) found.strings.push({ place, text: text.replaceAll(/\$\{[^}]*\}/g, " ") });
    for (const [, , name = ""] of line.matchAll(/\b(?:test|it)(?:\.\w+)?\((["'`])(.*?)\1/g))
      found.tests.push({ place, text: name });
  }
  return found;
}

export interface Dialect {
  readonly rate: number;
  readonly worst: readonly string[];
}

/** Phrases across a line break do not count. */
export function dialectOf(lines: readonly ProseLine[]): Dialect {
  let wordCount = 0;
  let useCount = 0;
  const used: { readonly place: string; readonly count: number }[] = [];
  for (const { text, place } of lines) {
    const words = text.toLowerCase().match(/[a-z']+/g) ?? [];
    const joined = words.join(" ");
    const count = matchers.reduce((sum, matcher) => sum + (joined.match(matcher)?.length ?? 0), 0);
    wordCount += words.length;
    useCount += count;
    if (count > 0) used.push({ place, count });
  }
  const worst = used.toSorted((a, b) => b.count - a.count).slice(0, 20);
  return {
    rate: wordCount === 0 ? 0 : (useCount / wordCount) * 10_000,
    worst: worst.map(({ place, count }) => `${count} ${place}`),
  };
}

/** Terms that were replaced everywhere, in the texts and names of programs, tests, pages and examples. */
export const retiredTerms: readonly { readonly term: RegExp; readonly instead: string }[] = [
  { term: /built anew/i, instead: "rebuilt" },
  { term: /constructed anew/i, instead: "rebuilt" },
  { term: /the host anew/i, instead: "restart the host" },
  { term: /let nobody in/i, instead: "denied the sign-in" },
  { term: /asks to run/i, instead: "needs approval to run" },
  { term: /says no times/i, instead: "is not a valid cron expression" },
  { term: /stands in the text/i, instead: "is literal text" },
  { term: /sums? the conversation up/i, instead: "summarizes the conversation" },
  { term: /Nobody was told/i, instead: "Cannot report" },
  { term: /it is given again/i, instead: "retrying" },
  { term: /\d held,/i, instead: "intact prefixes" },
  { term: /givenTexts\b|given-texts/, instead: "system messages" },
  { term: /handOver/i, instead: "handoff" },
  { term: /fileChangeWords/i, instead: "FileChangeLabels" },
  { term: /ReplySaid/i, instead: "ReplyDelta" },
  { term: /mendedMessage/i, instead: "normalizeMessage" },
  { term: /told-messages|goesOnFrom/i, instead: "sent messages" },
  { term: /keptSaidSchema/i, instead: "stored output" },
  { term: /saidByGit/i, instead: "gitDataLines" },
];
