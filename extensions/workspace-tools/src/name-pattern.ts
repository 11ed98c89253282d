export type Token =
  | { readonly kind: "one"; readonly fits: (character: string) => boolean; readonly steps: number }
  | { readonly kind: "many" };

export type Segment = { readonly kind: "name"; readonly tokens: readonly Token[] } | { readonly kind: "many" };

export class Steps {
  readonly #max: number;
  #count = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get isOver(): boolean {
    return this.#count > this.#max;
  }

  take(count: number): boolean {
    this.#count += count;
    return !this.isOver;
  }
}

/** `undefined` for an unclosed bracket, or a trailing backslash. */
export function toTokens(part: string): readonly Token[] | undefined {
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
  ["space", /[ \t\n\r]/], // Exactly git's classes.
  ["upper", /[A-Z]/],
  ["xdigit", /[0-9a-f]/i],
]);

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

function fitsName(tokens: readonly Token[], name: string, steps: Steps): boolean {
  return fits(
    tokens,
    name,
    (token, character) => token.kind === "one" && steps.take(token.steps) && token.fits(character),
  );
}

export function fitsSegment(segment: Segment, name: string, steps: Steps): boolean {
  return segment.kind === "name" && fitsName(segment.tokens, name, steps);
}

interface FitsOptions<Item> {
  readonly canPass?: (item: Item) => boolean;
}

/** Only the last wildcard is retried; so the cost is at most the pattern's length times the number of items. */
export function fits<Part extends { readonly kind: string }, Item>(
  parts: readonly Part[],
  items: ArrayLike<Item>,
  fitsOne: (part: Part, item: Item) => boolean,
  { canPass = () => true }: FitsOptions<Item> = {},
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
      const passed = items[from];
      if (passed === undefined || !canPass(passed)) return false;
      from += 1;
      part = wildcard + 1;
      item = from;
    } else return false;
  }
  while (parts[part]?.kind === "many") part += 1;
  return part === parts.length;
}
