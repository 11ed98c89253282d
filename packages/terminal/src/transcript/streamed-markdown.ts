import { blockTokens } from "./block-tokens.ts";

/** A part of an answer that does not change any more. */
export type DonePiece =
  | { readonly kind: "markdown"; readonly text: string }
  /** Lines of a block of code; `isFirst`: it begins with them; `isLast`: it ends with them. */
  | {
      readonly kind: "code";
      readonly language: string;
      readonly lines: readonly string[];
      readonly isFirst: boolean;
      readonly isLast: boolean;
    };

/** https://spec.commonmark.org/0.31.2/#fenced-code-blocks, one that is part of nothing else. */
const opening = /^(?:[ \t]*\n)*(?<mark>`{3,}|~{3,})(?<info>[^\n`]*)\n/;

interface Fence {
  readonly mark: string;
  readonly language: string;
  hasBegun: boolean;
}

/**
 * An answer that comes in pieces. What nothing can change any more is given out: blocks of Markdown behind which another one has
 * begun, and of a block of code the lines up to the last empty one. What still grows is kept back.
 */
export class StreamedMarkdown {
  #open = "";
  #fence: Fence | undefined;

  /** What still grows, as Markdown. */
  get open(): string {
    const fence = this.#fence;
    return fence === undefined ? this.#open : `${fence.mark}${fence.language}\n${this.#open}`;
  }

  /** What still grows are further lines of a block of code whose beginning was given out. */
  get isInsideCode(): boolean {
    return this.#fence?.hasBegun === true;
  }

  add(text: string): void {
    this.#open += text;
  }

  /** What is done. */
  takeDone(): readonly DonePiece[] {
    const done: DonePiece[] = [];
    for (;;) {
      const taken = this.#fence === undefined ? this.#takeBlocks(done) : this.#takeCode(done, this.#fence);
      if (!taken) return done;
    }
  }

  /** All that is left. */
  takeRest(): readonly DonePiece[] {
    const done = [...this.takeDone()];
    const rest = this.#open;
    const fence = this.#fence;
    this.#open = "";
    this.#fence = undefined;
    if (fence !== undefined)
      done.push(codePiece(fence, rest === "" ? [] : rest.replace(/\n$/, "").split("\n"), true));
    else if (rest.trim() !== "") done.push({ kind: "markdown", text: rest });
    return done;
  }

  /** `true`: there may be more. */
  #takeBlocks(done: DonePiece[]): boolean {
    const begin = opening.exec(this.#open);
    if (begin?.groups !== undefined) {
      const { mark = "", info = "" } = begin.groups;
      this.#fence = { mark, language: info.trim().split(/\s/)[0] ?? "", hasBegun: false };
      this.#open = this.#open.slice(begin[0].length);
      return true;
    }
    const tokens = blockTokens(this.#open);
    // The last one may go on, and what follows an empty line may still belong to a list. Code is given out by its lines.
    const last = tokens.findLastIndex(({ type }) => type !== "space");
    const code = tokens.findIndex(({ type, raw }) => type === "code" && opening.test(raw));
    const end = code === -1 ? last : Math.min(code, last);
    let length = 0;
    for (const { raw, type } of tokens.slice(0, Math.max(0, end))) {
      length += raw.length;
      if (type !== "space") done.push({ kind: "markdown", text: raw });
    }
    this.#open = this.#open.slice(length);
    return length > 0;
  }

  #takeCode(done: DonePiece[], fence: Fence): boolean {
    const closing = new RegExp(`^ {0,3}${fence.mark[0] === "~" ? "~" : "`"}{${fence.mark.length},}[ \\t]*$`);
    const lines = this.#open.split("\n");
    // A last line without its end may still become anything.
    const end = lines.slice(0, -1).findIndex((line) => closing.test(line));
    if (end !== -1) {
      done.push(codePiece(fence, lines.slice(0, end), true));
      this.#open = lines.slice(end + 1).join("\n");
      this.#fence = undefined;
      return true;
    }
    const whole = lines.slice(0, -1).findLastIndex((line) => line.trim() === "");
    if (whole <= 0) return false;
    done.push(codePiece(fence, lines.slice(0, whole), false));
    this.#open = lines.slice(whole).join("\n");
    fence.hasBegun = true;
    return false;
  }
}

function codePiece(fence: Fence, lines: readonly string[], isLast: boolean): DonePiece {
  return { kind: "code", language: fence.language, lines, isFirst: !fence.hasBegun, isLast };
}
