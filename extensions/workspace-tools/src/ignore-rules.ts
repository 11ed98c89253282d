/** What a rule says of a path. */
export type Verdict = "ignored" | "kept";

/** Longest rule: no path is longer. */
const maxRuleLength = 4_096;
/**
 * Comparisons that one path may cost. Each rule takes no more than its length times the path's; a file that is made to take all of
 * that with each of its rules ignores less than it says.
 */
const maxSteps = 200_000;

type Token =
  | { readonly kind: "one"; readonly fits: (character: string) => boolean; readonly steps: number }
  /** Any number of characters. */
  | { readonly kind: "many" };

type Segment = { readonly kind: "name"; readonly tokens: readonly Token[] } | { readonly kind: "many" };

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
    const steps = new Steps();
    for (const { verdict, isFolderOnly, isAnchored, segments } of this.#rules) {
      if (isFolderOnly && !isFolder) continue;
      if (fits(segments, isAnchored ? names : names.slice(-1), (part, name) => fitsName(part, name, steps)))
        return steps.isOver ? undefined : verdict;
      if (steps.isOver) return undefined;
    }
    return undefined;
  }
}

class Steps {
  #count = 0;

  get isOver(): boolean {
    return this.#count > maxSteps;
  }

  take(count: number): boolean {
    this.#count += count;
    return !this.isOver;
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

/** `undefined` for what fits nothing: a bracket without its end, a backslash at the end. */
function toTokens(part: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  for (let at = 0; at < part.length; at += 1) {
    const character = part.charAt(at);
    if (character === "*") {
      if (tokens.at(-1)?.kind !== "many") tokens.push({ kind: "many" });
    } else if (character === "?") tokens.push({ kind: "one", fits: () => true, steps: 1 });
    else if (character === "[") {
      const set = readSet(part, at);
      if (set === undefined) return undefined;
      tokens.push({ kind: "one", fits: set.fits, steps: set.end - at });
      at = set.end;
    } else {
      if (character === "\\") at += 1;
      const wanted = part.charAt(at);
      if (wanted === "") return undefined;
      tokens.push({ kind: "one", fits: (given) => given === wanted, steps: 1 });
    }
  }
  return tokens;
}

const classes: ReadonlyMap<string, RegExp> = new Map([
  ["alnum", /[a-z0-9]/i],
  ["alpha", /[a-z]/i],
  ["blank", /[ \t]/],
  ["cntrl", /\p{Cc}/u],
  ["digit", /[0-9]/],
  ["graph", /[!-~]/],
  ["lower", /[a-z]/],
  ["print", /[ -~]/],
  ["punct", /[!-/:-@[-`{-~]/],
  ["space", /[ \t\n\r]/], // Those of git, which knows no others.
  ["upper", /[A-Z]/],
  ["xdigit", /[0-9a-f]/i],
]);

/** A set such as `[a-z0-9]`, `[!x]` or `[[:space:]]`, and where its end is. */
function readSet(
  part: string,
  start: number,
): { readonly end: number; readonly fits: (character: string) => boolean } | undefined {
  const members: ((character: string) => boolean)[] = [];
  const isNegated = part[start + 1] === "!" || part[start + 1] === "^";
  const first = start + (isNegated ? 2 : 1);
  let at = first;
  const take = (): string => {
    if (part[at] === "\\") at += 1;
    at += 1;
    return part.charAt(at - 1);
  };
  for (; at < part.length && (part[at] !== "]" || at === first);) {
    const named = part.startsWith("[:", at) ? part.indexOf(":]", at + 2) : -1;
    if (named !== -1) {
      const known = classes.get(part.slice(at + 2, named));
      if (known === undefined) return undefined;
      members.push((character) => known.test(character));
      at = named + 2;
      continue;
    }
    const low = take();
    if (part[at] === "-" && part[at + 1] !== undefined && part[at + 1] !== "]") {
      at += 1;
      const high = take();
      members.push((character) => low <= character && character <= high);
    } else members.push((character) => character === low);
  }
  if (at >= part.length) return undefined;
  return { end: at, fits: (character) => members.some((isIn) => isIn(character)) !== isNegated };
}

function fitsName(segment: Segment, name: string, steps: Steps): boolean {
  if (segment.kind === "many") return false;
  return fits(
    segment.tokens,
    name,
    (token, character) => token.kind === "one" && steps.take(token.steps) && token.fits(character),
  );
}

/**
 * Whether a pattern fits all of the items. Behind a wildcard, only that one is taken up again: what is before it fits already, however
 * long it is, so that a pattern takes its length times that of the items, and no more.
 */
function fits<Part extends { readonly kind: string }, Item>(
  parts: readonly Part[],
  items: ArrayLike<Item>,
  fitsOne: (part: Part, item: Item) => boolean,
): boolean {
  let [part, item] = [0, 0];
  let [wildcard, from] = [-1, 0];
  for (let current = items[item]; current !== undefined; current = items[item]) {
    const wanted = parts[part];
    if (wanted?.kind === "many") {
      wildcard = part;
      from = item;
      part += 1;
    } else if (wanted !== undefined && fitsOne(wanted, current)) {
      part += 1;
      item += 1;
    } else if (wildcard !== -1) {
      from += 1;
      part = wildcard + 1;
      item = from;
    } else return false;
  }
  while (parts[part]?.kind === "many") part += 1;
  return part === parts.length;
}
