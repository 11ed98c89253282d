const [space, colon] = [" ".charCodeAt(0), ":".charCodeAt(0)];

/**
 * The data of server-sent events, out of bytes that are cut anywhere. Lines end with LF alone, as `LineFeeds` of the kernel
 * leaves them. What is left at the end of the stream is no event: https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export class EventData {
  readonly #decoder = new TextDecoder();
  /** The line that has not ended, in pieces: a long one is put together once. */
  #open: string[] = [];
  /** Lines of data of the event that has not ended. */
  #lines: string[] = [];

  /** The data of each event that ends in `bytes`. */
  take(bytes: Uint8Array): readonly string[] {
    const text = this.#decoder.decode(bytes, { stream: true });
    if (!text.includes("\n")) {
      if (text !== "") this.#open.push(text);
      return [];
    }
    this.#open.push(text);
    const lines = this.#open.length === 1 ? text : this.#open.join("");
    const events: string[] = [];
    let start = 0;
    for (let end = lines.indexOf("\n"); end !== -1; end = lines.indexOf("\n", start)) {
      if (start === end) this.#end(events);
      else this.#line(lines, start, end);
      start = end + 1;
    }
    this.#open = start === lines.length ? [] : [lines.slice(start)];
    return events;
  }

  #end(events: string[]): void {
    if (this.#lines.length === 0) return;
    events.push(this.#lines.length === 1 ? (this.#lines[0] ?? "") : this.#lines.join("\n"));
    this.#lines = [];
  }

  /** Other fields, and comments, say nothing of a reply. */
  #line(text: string, start: number, end: number): void {
    if (!text.startsWith("data", start)) return;
    const after = start + 4;
    if (after === end) this.#lines.push("");
    else if (text.charCodeAt(after) === colon)
      this.#lines.push(text.slice(text.charCodeAt(after + 1) === space ? after + 2 : after + 1, end));
  }
}

/** One event that has data alone. */
export function eventOf(data: string): string {
  return `data: ${data}\n\n`;
}
