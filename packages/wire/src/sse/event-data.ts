const [space, colon] = [" ".charCodeAt(0), ":".charCodeAt(0)];

/** In UTF-16 units, of lines that are no events: more than a whole completion has. */
const maxStrayLength = 8 * 1_048_576;

/**
 * The data of server-sent events, out of bytes that are cut anywhere. Lines end with LF alone, as `LineFeeds` of the kernel
 * leaves them: https://html.spec.whatwg.org/multipage/server-sent-events.html
 *
 * Beyond the standard, the last event may come without the empty line behind it (`end`), and what came in place of events can be
 * asked for (`stray`), as servers answer with an error, or a whole reply, where a stream was asked for.
 */
export class EventData {
  readonly #decoder = new TextDecoder();
  /** The line that has not ended, in pieces: a long one is put together once. */
  #open: string[] = [];
  /** Lines of data of the event that has not ended. */
  #lines: string[] = [];
  #stray: string[] = [];
  #strayLength = 0;
  #hasEvents = false;

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

  /** The event that the stream ends with, without an empty line behind it. */
  end(): readonly string[] {
    const events: string[] = [];
    const rest = this.#open.join("") + this.#decoder.decode();
    if (rest !== "") this.#line(rest, 0, rest.length);
    this.#open = [];
    this.#end(events);
    return events;
  }

  /** Lines that are none of an event stream; empty once there was an event. */
  get stray(): string {
    return this.#hasEvents ? "" : this.#stray.join("\n");
  }

  #end(events: string[]): void {
    if (this.#lines.length === 0) return;
    this.#hasEvents = true;
    this.#stray = [];
    events.push(this.#lines.length === 1 ? (this.#lines[0] ?? "") : this.#lines.join("\n"));
    this.#lines = [];
  }

  /** Other fields, and comments, say nothing of a reply. */
  #line(text: string, start: number, end: number): void {
    if (!text.startsWith("data", start)) return this.#noData(text, start, end);
    const after = start + 4;
    if (after === end) this.#lines.push("");
    else if (text.charCodeAt(after) === colon)
      this.#lines.push(text.slice(text.charCodeAt(after + 1) === space ? after + 2 : after + 1, end));
    else this.#noData(text, start, end);
  }

  #noData(text: string, start: number, end: number): void {
    if (this.#hasEvents || text.charCodeAt(start) === colon || this.#strayLength > maxStrayLength) return;
    const line = text.slice(start, end);
    if (/^(?:event|id|retry)(?::|$)/.test(line)) return;
    this.#strayLength += line.length;
    this.#stray.push(line);
  }
}

/** One event that has data alone. */
export function eventOf(data: string): string {
  return `data: ${data}\n\n`;
}
