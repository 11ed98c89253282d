/** So many are listed; what is nested deeper belongs to the innermost that is. */
const maxBranches = 10_000;

/** A stretch of rendered text, in UTF-16 units, and the stretch of the template that it stands for. */
export interface RenderedRange {
  readonly start: number;
  readonly end: number;
  /** Its `type:name`; `null` for text of the template. */
  readonly variable: string | null;
  /** Index of the innermost branch that it is in; `null`: it is in none. */
  readonly branch: number | null;
  readonly templateStart: number;
  readonly templateEnd: number;
}

/** A branch that was rendered, and has text. */
export interface RenderedBranch {
  /** `type:name`. */
  readonly variable: string;
  readonly isNegated: boolean;
  /** `else`: the condition did not hold. */
  readonly side: "then" | "else";
  /** Index of the branch that it is in. */
  readonly parent: number | null;
  /** Where its `[if]` begins in the template. */
  readonly templateStart: number;
  readonly templateEnd: number;
}

interface Tag {
  readonly before: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

interface OpenBranch {
  readonly tag: Tag;
  readonly isNegated: boolean;
  readonly isTaken: boolean;
  /** The instruction behind its last one. */
  readonly end: number;
  /** Once it is listed; `null`: there were too many. */
  index: number | null | undefined;
}

/**
 * Where each part of a rendered text came from: its ranges are in order, without a gap, none of them empty. A template's
 * `render` tells it.
 */
export class TemplateTrace {
  readonly ranges: RenderedRange[] = [];
  readonly branches: RenderedBranch[] = [];
  readonly #open: OpenBranch[] = [];
  #length = 0;

  /** Goes on with the instruction `at`, and with that leaves the branches that end before it. */
  reach(at: number): void {
    for (let last = this.#open.at(-1); last !== undefined && last.end <= at; last = this.#open.at(-1))
      this.#open.pop();
  }

  enter(tag: Tag, branch: { readonly isNegated: boolean; readonly isTaken: boolean; readonly end: number }): void {
    this.#open.push({ tag, ...branch, index: undefined });
  }

  literal(templateStart: number, length: number): void {
    if (length === 0) return;
    const branch = this.#branch();
    const last = this.ranges.at(-1);
    const isSame = last !== undefined && last.variable === null && last.branch === branch;
    if (isSame && last.templateEnd === templateStart) {
      this.#length += length;
      this.ranges[this.ranges.length - 1] = { ...last, end: this.#length, templateEnd: templateStart + length };
    } else this.#add({ variable: null, branch, templateStart, templateEnd: templateStart + length }, length);
  }

  value(tag: Tag, length: number): void {
    if (length === 0) return;
    const templateStart = tag.start + tag.before.length;
    this.#add({ variable: tag.text, branch: this.#branch(), templateStart, templateEnd: tag.end }, length);
  }

  #add(range: Omit<RenderedRange, "start" | "end">, length: number): void {
    const start = this.#length;
    this.#length += length;
    this.ranges.push({ start, end: this.#length, ...range });
  }

  /** Lists the innermost branch and those around it; each once, so that it costs as much as there are. */
  #branch(): number | null {
    let from = this.#open.length;
    while (from > 0 && this.#open[from - 1]?.index === undefined) from--;
    let parent = this.#open[from - 1]?.index ?? null;
    for (const open of this.#open.slice(from)) {
      const { tag, isNegated, isTaken } = open;
      if (this.branches.length < maxBranches) {
        const templateStart = tag.start + tag.before.length;
        const side = isTaken ? "then" : "else";
        this.branches.push({ variable: tag.text, isNegated, side, parent, templateStart, templateEnd: tag.end });
        parent = this.branches.length - 1;
      }
      open.index = parent;
    }
    return parent;
  }
}
