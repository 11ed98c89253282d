import { fits, fitsSegment, Steps, toTokens, type Segment } from "./name-pattern.ts";

export type Verdict = "ignored" | "kept";

/** Maximum length of a rule; no path is longer. */
const maxRuleLength = 4_096;
/** A rule costs at most its length times the path's; rules of a malicious file are then only partly applied. */
const maxSteps = 200_000;

interface Rule {
  readonly verdict: Verdict;
  readonly isFolderOnly: boolean;
  readonly isAnchored: boolean;
  readonly segments: readonly Segment[];
}

/** https://git-scm.com/docs/gitignore. The last matching rule decides, in bounded time. */
export class IgnoreRules {
  readonly #rules: readonly Rule[];

  constructor(text: string) {
    const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
    this.#rules = lines.flatMap((line) => toRule(line) ?? []).toReversed();
  }

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
      // A trailing `**` matches the content, not the folder itself.
      if (index === parts.length - 1) segments.push({ kind: "name", tokens: [{ kind: "many" }] });
      continue;
    }
    const tokens = toTokens(part);
    if (tokens === undefined || part === "") return undefined; // Matches nothing.
    segments.push({ kind: "name", tokens });
  }
  return { verdict: isNegated ? "kept" : "ignored", isFolderOnly, isAnchored, segments };
}

function withoutSpaces(pattern: string): string {
  let end = pattern.length;
  while (pattern[end - 1] === " ") end -= 1;
  let slashes = 0;
  while (pattern[end - 1 - slashes] === "\\") slashes += 1;
  return pattern.slice(0, slashes % 2 === 1 ? end + 1 : end);
}
