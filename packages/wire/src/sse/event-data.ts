const [space, colon] = [" ".charCodeAt(0), ":".charCodeAt(0)];

/** In UTF-16 units, of lines outside of events; larger than a complete completion. */
const maxStrayLength = 8 * 1_048_576;

/**
 * Expects LF line ends, as `LineFeeds` of the kernel produces:
 * https://html.spec.whatwg.org/multipage/server-sent-events.html
 *
 * Beyond the standard, it accepts a last event without an empty line (`end`), and keeps other lines (`stray`),
 * because servers answer with an error or a complete reply instead of a stream.
 */
export class EventData {
  readonly #decoder = new TextDecoder();
  #open: string[] = [];
  #lines: string[] = [];
  #stray: string[] = [];
  #strayLength = 0;
  #hasEvents = false;

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

  end(): readonly string[] {
    const events: string[] = [];
    const rest = this.#open.join("") + this.#decoder.decode();
    if (rest !== "") this.#line(rest, 0, rest.length);
    this.#open = [];
    this.#end(events);
    return events;
  }

  /** Lines outside of events; empty after the first event. */
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

  /** Ignores comments and fields other than `data`. */
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

export function eventOf(data: string): string {
  return `data: ${data}\n\n`;
}
