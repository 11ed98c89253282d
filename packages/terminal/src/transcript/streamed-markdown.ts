import type { Token, Tokens } from "@earendil-works/pi-tui";
import { blockTokens, isTable } from "./block-tokens.ts";

export type DonePiece =
  /** `isFirst` starts a block; otherwise it continues the previous piece. */
  | { readonly kind: "markdown"; readonly text: string; readonly isFirst: boolean }
  | {
      readonly kind: "code";
      readonly language: string;
      readonly lines: readonly string[];
      readonly isFirst: boolean;
      readonly isLast: boolean;
    };

/** Maximum length of the unfinished block, which is parsed and drawn again in each frame; longer blocks are split. */
export const maxOpenCharacters = 6_000;
/** The cost of parsing a line grows faster than its length. */
const chunkCharacters = 2_000;
/** Maximum length of a table header that is repeated in the next part, in UTF-16 units. */
const maxLead = 1_000;

/** Top level only: https://spec.commonmark.org/0.31.2/#fenced-code-blocks */
const opening = /^(?:[ \t]*\n)*(?<mark>`{3,}|~{3,})(?<info>[^\n`]*)\n/;
const quoteMark = /^ {0,3}>/;

interface Fence {
  readonly mark: string;
  readonly language: string;
  hasBegun: boolean;
}

/**
 * Splits streamed Markdown into final pieces, whose display no longer changes: blocks followed by another block, and
 * lines of code up to the last empty line. Retains up to `maxOpenCharacters` of unfinished text.
 */
export class StreamedMarkdown {
  #added = "";
  #open = "";
  #fence: Fence | undefined;
  #isContinued = false;

  get open(): string {
    const fence = this.#fence;
    return fence === undefined ? this.#open : `${fence.mark}${fence.language}\n${this.#open}`;
  }

  get isInsideCode(): boolean {
    return this.#fence?.hasBegun === true;
  }

  get isContinued(): boolean {
    return this.#isContinued;
  }

  add(text: string): void {
    this.#added += text;
  }

  takeDone(): readonly DonePiece[] {
    const done: DonePiece[] = [];
    const added = this.#added;
    this.#added = "";
    for (let at = 0; at < added.length || at === 0; at += chunkCharacters) {
      this.#open += added.slice(at, at + chunkCharacters);
      this.#take(done);
    }
    return done;
  }

  takeRest(): readonly DonePiece[] {
    const done = [...this.takeDone()];
    const rest = this.#open;
    const fence = this.#fence;
    this.#open = "";
    this.#fence = undefined;
    if (fence !== undefined)
      done.push(codePiece(fence, rest === "" ? [] : rest.replace(/\n$/, "").split("\n"), true));
    else if (rest.trim() !== "") done.push(this.#markdownPiece(rest));
    this.#isContinued = false;
    return done;
  }

  #take(done: DonePiece[]): void {
    for (;;) {
      const taken = this.#fence === undefined ? this.#takeBlocks(done) : this.#takeCode(done, this.#fence);
      if (taken) continue;
      if (this.#open.length <= maxOpenCharacters) return;
      if (this.#fence === undefined) this.#takePart(done);
      else this.#takeLines(done, this.#fence);
    }
  }

  /** Returns `true` if more blocks may be complete. */
  #takeBlocks(done: DonePiece[]): boolean {
    const begin = opening.exec(this.#open);
    if (begin?.groups !== undefined) {
      const { mark = "", info = "" } = begin.groups;
      this.#fence = { mark, language: info.trim().split(/\s/)[0] ?? "", hasBegun: false };
      this.#open = this.#open.slice(begin[0].length);
      this.#isContinued = false;
      return true;
    }
    const tokens = blockTokens(this.#open);
    // The last block may grow, and text after an empty line may belong to a list. Code is returned by lines.
    const last = tokens.findLastIndex(({ type }) => type !== "space");
    const code = tokens.findIndex(({ type, raw }) => type === "code" && opening.test(raw));
    const end = code === -1 ? last : Math.min(code, last);
    let length = 0;
    for (const { raw, type } of tokens.slice(0, Math.max(0, end))) {
      length += raw.length;
      if (type !== "space") done.push(this.#markdownPiece(raw));
    }
    this.#open = this.#open.slice(length);
    return length > 0;
  }

  #takeCode(done: DonePiece[], fence: Fence): boolean {
    const closing = new RegExp(`^ {0,3}${fence.mark[0] === "~" ? "~" : "`"}{${fence.mark.length},}[ \\t]*$`);
    const lines = this.#open.split("\n");
    // An unfinished last line may become anything.
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

  /** Splits code that has no empty line: before its last line, or within it if it is the only one. */
  #takeLines(done: DonePiece[], fence: Fence): void {
    const lines = this.#open.split("\n");
    const last = lines.pop() ?? "";
    if (lines.length > 0) this.#open = last;
    else {
      const end = endOfPart(last, maxOpenCharacters);
      lines.push(last.slice(0, end));
      this.#open = last.slice(end);
    }
    done.push(codePiece(fence, lines, false));
    fence.hasBegun = true;
  }

  #takePart(done: DonePiece[]): void {
    const token = blockTokens(this.#open).find(({ type }) => type !== "space");
    const { part, rest } =
      (token === undefined ? undefined : (partOfTable(this.#open, token) ?? partOfList(this.#open, token))) ??
      partOfText(this.#open);
    if (part.trim() !== "") done.push(this.#markdownPiece(part));
    this.#isContinued = rest.trim() !== "";
    this.#open = rest;
  }

  #markdownPiece(text: string): DonePiece {
    const isFirst = !this.#isContinued;
    this.#isContinued = false;
    return { kind: "markdown", text, isFirst };
  }
}

interface Parts {
  readonly part: string;
  /** Shorter than the text by at least a quarter of `maxOpenCharacters`. */
  readonly rest: string;
}

/** Splits a table before its last row; `rest` repeats the header, so that the remaining rows form a table, too. */
function partOfTable(text: string, token: Token): Parts | undefined {
  if (!isTable(token)) return undefined;
  const lines = text.trim().split("\n");
  const header = lines.slice(0, 2).join("\n");
  const last = lines.at(-1) ?? "";
  if (lines.length < 4 || header.length > maxLead || last.length > maxOpenCharacters / 2) return undefined;
  return { part: lines.slice(0, -1).join("\n"), rest: `${header}\n${last}${text.slice(text.trimEnd().length)}` };
}

/** Splits a list before its last item; in an ordered list, `rest` continues the numbering. */
function partOfList(text: string, token: Token): Parts | undefined {
  if (!isList(token)) return undefined;
  const entries = token.items.slice(0, -1).map(({ raw }) => raw);
  const from = text.indexOf(token.raw);
  const part = text.slice(0, from) + entries.join("");
  if (from === -1 || !text.startsWith(part) || part.length < maxOpenCharacters / 2) return undefined;
  const next = Number(token.start) + entries.length;
  const rest = text.slice(part.length);
  return { part, rest: token.ordered ? rest.replace(/^\s*\d{1,9}/, String(next)) : rest };
}

function partOfText(text: string): Parts {
  const end = endOfPart(text, maxOpenCharacters);
  const line = text.slice(text.lastIndexOf("\n", end - 1) + 1, end);
  const rest = text.slice(end);
  return { part: text.slice(0, end), rest: quoteMark.test(line) && !quoteMark.test(rest) ? `> ${rest}` : rest };
}

function isList(token: Token): token is Tokens.List {
  return token.type === "list" && "items" in token;
}

function codePiece(fence: Fence, lines: readonly string[], isLast: boolean): DonePiece {
  return { kind: "code", language: fence.language, lines, isFirst: !fence.hasBegun, isLast };
}

/** Places to split a paragraph, best first: the text after the place cannot start a new Markdown block. */
const ends = [/\n(?=[\p{L}>])/gu, /[.!?]\s(?=\p{L})/gu, /[。！？](?=\p{L})/gu, /\s(?=\p{L})/gu] as const;

/** Returns the offset of the last natural break between half of `maxCharacters` and `maxCharacters`. */
function endOfPart(text: string, maxCharacters: number): number {
  const half = Math.floor(maxCharacters / 2);
  const window = text.slice(half, maxCharacters);
  for (const end of ends) {
    const found = [...window.matchAll(end)].at(-1);
    if (found !== undefined) return half + found.index + found[0].length;
  }
  // Not inside a surrogate pair.
  return text.slice(0, maxCharacters).isWellFormed() ? maxCharacters : maxCharacters - 1;
}
