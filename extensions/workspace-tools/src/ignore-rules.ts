import { fits, fitsSegment, Steps, toTokens, type Segment } from "./name-pattern.ts";

/** What a rule says of a path. */
export type Verdict = "ignored" | "kept";

/** Longest rule: no path is longer. */
const maxRuleLength = 4_096;
/**
 * Comparisons that one path may cost. Each rule takes no more than its length times the path's; a file that is made to take all of
 * that with each of its rules ignores less than it says.
 */
const maxSteps = 200_000;

interface Rule {
  readonly verdict: Verdict;
  readonly isFolderOnly: boolean;
  /** Whether it is for a path from the rule's folder on; else the name is enough. */
  readonly isAnchored: boolean;
  readonly segments: readonly Segment[];
}

/** The rules of a `.gitignore`: https://git-scm.com/docs/gitignore. The last one that fits a path decides, in bounded time. */
export class IgnoreRules {
  readonly #rules: readonly Rule[];

  constructor(text: string) {
    const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
    this.#rules = lines.flatMap((line) => toRule(line) ?? []).toReversed();
  }

  /** @param path From the rules' folder on, with a slash at the end of a folder. */
  verdictOn(path: string): Verdict | undefined {
    const isFolder = path.endsWith("/");
    const names = (isFolder ? path.slice(0, -1) : path).split("/");
    const steps = new Steps(maxSteps);
    for (const { verdict, isFolderOnly, isAnchored, segments } of this.#rules) {
      if (isFolderOnly && !isFolder) continue;
      if (fits(segments, isAnchored ? names : names.slice(-1), (part, name) => fitsSegment(part, name, steps)))
        return steps.isOver ? undefined : verdict;
      if (steps.isOver) return undefined;
    }
    return undefined;
  }
}

function toRule(line: string): Rule | undefined {
  if (line.startsWith("#") || line.length > maxRuleLength) return undefined;
  const isNegated = line.startsWith("!");
  let pattern = withoutSpaces(isNegated ? line.slice(1) : line);
  const isFolderOnly = pattern.endsWith("/");
  if (isFolderOnly) pattern = pattern.slice(0, -1);
  const isAnchored = pattern.includes("/");
  const parts = (pattern.startsWith("/") ? pattern.slice(1) : pattern).split("/");
  const segments: Segment[] = [];
  for (const [index, part] of parts.entries()) {
    if (part === "**" && isAnchored) {
      if (segments.at(-1)?.kind !== "many") segments.push({ kind: "many" });
      // At the end: what is inside, and not the folder itself.
      if (index === parts.length - 1) segments.push({ kind: "name", tokens: [{ kind: "many" }] });
      continue;
    }
    const tokens = toTokens(part);
    if (tokens === undefined || part === "") return undefined; // It fits nothing.
    segments.push({ kind: "name", tokens });
  }
  return { verdict: isNegated ? "kept" : "ignored", isFolderOnly, isAnchored, segments };
}

/** Those at the end do not count, unless a backslash is before them. */
function withoutSpaces(pattern: string): string {
  let end = pattern.length;
  while (pattern[end - 1] === " ") end -= 1;
  let slashes = 0;
  while (pattern[end - 1 - slashes] === "\\") slashes += 1;
  return pattern.slice(0, slashes % 2 === 1 ? end + 1 : end);
}
