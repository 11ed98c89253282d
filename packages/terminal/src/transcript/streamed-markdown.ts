import { Marked } from "@earendil-works/pi-tui";

const marked = new Marked();

/**
 * An answer that comes in pieces. Of what has come, the blocks of Markdown that nothing can change any more are given out; the
 * last one, which still grows, is kept back.
 */
export class StreamedMarkdown {
  #open = "";

  /** What still grows. */
  get open(): string {
    return this.#open;
  }

  add(text: string): void {
    this.#open += text;
  }

  /** Blocks that are done. */
  takeDone(): readonly string[] {
    const done: string[] = [];
    const tokens = marked.lexer(this.#open);
    let length = 0;
    // The last one may go on, and what follows a blank line may still belong to a list.
    const last = tokens.findLastIndex(({ type }) => type !== "space");
    for (const token of tokens.slice(0, Math.max(0, last))) {
      length += token.raw.length;
      if (token.type !== "space") done.push(token.raw);
    }
    this.#open = this.#open.slice(length);
    return done;
  }

  /** All that is left. */
  takeRest(): readonly string[] {
    const rest = this.#open;
    this.#open = "";
    return rest.trim() === "" ? [] : [rest];
  }
}
