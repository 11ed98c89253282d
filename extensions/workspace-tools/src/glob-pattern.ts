import { withoutBraces } from "./braces.ts";
import { fits, fitsSegment, Steps, toTokens, type Segment } from "./name-pattern.ts";

const maxSteps = 200_000;

interface Part {
  readonly segment: Segment;
  readonly kind: Segment["kind"];
  /** Only such a pattern matches hidden names, unless those are included. */
  readonly isDotted: boolean;
}

/** `hidden`: would match if hidden names were included. `unknown`: the comparison took too long. */
export type GlobVerdict = "fits" | "hidden" | "none" | "unknown";

export interface GlobOptions {
  readonly ignoreCase: boolean;
  readonly withHidden: boolean;
}

/** Without a slash it matches names in any folder. Comparison takes bounded time. */
export class GlobPattern {
  readonly #patterns: readonly (readonly Part[])[];
  readonly #options: GlobOptions;
  /** After brace expansion; a comparison costs at most this times the path's length. */
  readonly length: number;

  /** @throws {Error} with a message that follows the word "pattern". */
  constructor(pattern: string, options: GlobOptions) {
    const whole = pattern.endsWith("/") ? `${pattern}**` : pattern;
    const text = whole.includes("/") ? whole : `**/${whole}`;
    this.#options = options;
    const texts = withoutBraces(options.ignoreCase ? text.toLowerCase() : text);
    this.length = texts.reduce((length, { length: more }) => length + more, 0);
    this.#patterns = texts.map(toParts);
  }

  verdictOn(path: string): GlobVerdict {
    const names = this.#namesOf(path);
    const steps = new Steps(maxSteps);
    const { withHidden } = this.#options;
    if (this.#fits(names, steps, withHidden)) return "fits";
    if (!withHidden && names.some(isHidden) && this.#fits(names, steps, true)) return "hidden";
    return steps.isOver ? "unknown" : "none";
  }

  mayHold(folder: string): boolean {
    const names = this.#namesOf(folder.slice(0, -1));
    const steps = new Steps(maxSteps);
    const leadsTo = (parts: readonly Part[]): boolean => {
      for (const [index, name] of names.entries()) {
        const part = parts[index];
        if (part === undefined) return false;
        if (part.kind === "many") return true;
        if (!fitsSegment(part.segment, name, steps)) return steps.isOver;
      }
      return parts.length > names.length;
    };
    return this.#patterns.some(leadsTo);
  }

  #namesOf(path: string): readonly string[] {
    return (this.#options.ignoreCase ? path.toLowerCase() : path).split("/");
  }

  #fits(names: readonly string[], steps: Steps, withHidden: boolean): boolean {
    const fitsOne = ({ segment, isDotted }: Part, name: string): boolean =>
      (withHidden || isDotted || !isHidden(name)) && fitsSegment(segment, name, steps);
    const canPass = (name: string): boolean => withHidden || !isHidden(name);
    return this.#patterns.some(
      (parts) => !steps.isOver && fits(parts, names, fitsOne, { canPass }) && !steps.isOver,
    );
  }
}

function isHidden(name: string): boolean {
  return name.startsWith(".");
}

function toParts(pattern: string): readonly Part[] {
  if (pattern.startsWith("/"))
    throw new Error('begins with a slash, and is for paths below a folder; give that folder as "path"');
  const parts: Part[] = [];
  const names = pattern.split("/").filter((name) => name !== "" && name !== ".");
  for (const name of names) {
    if (name === "..")
      throw new Error('has "..", and is for paths below a folder; give the folder to look below as "path"');
    if (name === "**") {
      if (parts.at(-1)?.kind !== "many") parts.push({ kind: "many", segment: { kind: "many" }, isDotted: false });
      continue;
    }
    const tokens = toTokens(name);
    if (tokens === undefined)
      throw new Error("has a [ without its ], or ends with a backslash; write \\[ for the letter itself");
    parts.push({ kind: "name", segment: { kind: "name", tokens }, isDotted: /^\\?\./.test(name) });
  }
  // A trailing `**` matches the content.
  if (parts.at(-1)?.kind === "many")
    parts.push({ kind: "name", segment: { kind: "name", tokens: [{ kind: "many" }] }, isDotted: false });
  if (parts.length === 0) throw new Error('names nothing; write "**" for all files');
  return parts;
}
