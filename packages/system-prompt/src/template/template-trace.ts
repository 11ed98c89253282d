/** Deeper branches count for the innermost listed one. */
const maxBranches = 10_000;

/** A range of rendered text, in UTF-16 units, with its range in the template. */
export interface RenderedRange {
  readonly start: number;
  readonly end: number;
  /** `type:name`, or `null` for literal text. */
  readonly variable: string | null;
  /** Innermost enclosing branch. */
  readonly branch: number | null;
  readonly templateStart: number;
  readonly templateEnd: number;
}

/** A rendered branch with text. */
export interface RenderedBranch {
  readonly variable: string;
  readonly isNegated: boolean;
  /** `else`: the condition was false. */
  readonly side: "then" | "else";
  readonly parent: number | null;
  /** Start of its `[if]`. */
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
  /** Index after its last instruction. */
  readonly end: number;
  /** Index in `branches` once a part of the branch is rendered; that of the parent, or `null`, beyond the limit. */
  index: number | null | undefined;
}

/** Records the origin of each part during `render`: contiguous, non-empty ranges in order. */
export class TemplateTrace {
  readonly ranges: RenderedRange[] = [];
  readonly branches: RenderedBranch[] = [];
  readonly #open: OpenBranch[] = [];
  #length = 0;

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
