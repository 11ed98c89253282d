import { parsedJson } from "../requests/json-object.ts";
import { ReplyBody } from "../replies/reply-body.ts";
import type { ReplyConverter } from "./vendor.ts";

const dataLine = /^data(?:: ?(.*))?$/;
const otherLine = /^(?::|(?:event|id|retry)(?::|$))/;
const jsonStart = /^\s*[[{"]/;

/** In UTF-16 units, of lines outside of events; larger than a complete reply. */
const maxStrayLength = 8 * 1_048_576;

/**
 * - A last event without an empty line is accepted unless truncated.
 * - Text in place of events is an error if no event came; text as an event's data always is.
 * - JSON in place of events, as from a server without streaming, is read as an event, a list as one per entry.
 * - The stream ends after the reply, also if the connection stays open; an error after a complete reply is ignored.
 */
export function convertEvents(
  body: ReadableStream<Uint8Array>,
  amender: ReplyConverter,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const bytes = new ReplyBody(body);
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const reply = new AmendedReply(amender);
  return new ReadableStream({
    async pull(controller) {
      let text = "";
      let isOver = false;
      while (text === "" && !isOver) {
        const chunk = await bytes.next(amender.progress);
        isOver = chunk === undefined;
        text = isOver
          ? reply.take(decoder.decode()) + reply.end()
          : reply.take(decoder.decode(chunk, { stream: true }));
      }
      if (text !== "") controller.enqueue(encoder.encode(text));
      if (isOver) controller.close();
    },
    cancel: (reason) => bytes.cancel(reason),
  });
}

class AmendedReply {
  readonly #amender: ReplyConverter;
  #rest: string[] = [];
  #data: string[] = [];
  #stray: string[] = [];
  #strayLength = 0;
  #words: string | undefined;
  #hasEvents = false;
  #isDone = false;

  constructor(amender: ReplyConverter) {
    this.#amender = amender;
  }

  take(text: string): string {
    const end = text.lastIndexOf("\n");
    if (end === -1) {
      if (text !== "") this.#rest.push(text);
      return "";
    }
    const lines = [...this.#rest, text.slice(0, end)].join("").split("\n");
    this.#rest = [text.slice(end + 1)];
    return lines.map((line) => this.#line(line)).join("");
  }

  end(): string {
    const last = this.#rest.join("");
    const before = last === "" ? "" : this.#line(last);
    return before + this.#event(true) + this.#inPlaceOfEvents() + written(this.#amender.end(this.#isDone));
  }

  #line(ended: string): string {
    const line = ended.endsWith("\r") ? ended.slice(0, -1) : ended;
    if (line === "") return `${this.#event(false)}\n`;
    const data = dataLine.exec(line);
    if (data !== null) {
      this.#data.push(data[1] ?? "");
      return "";
    }
    if (otherLine.test(line)) return `${ended}\n`;
    this.#strayLength += line.length;
    if (!this.#hasEvents && this.#strayLength <= maxStrayLength) this.#stray.push(line);
    return "";
  }

  #event(isLast: boolean): string {
    if (this.#data.length === 0) return "";
    const data = this.#data.join("\n");
    this.#data = [];
    if (data.trim() === "[DONE]") {
      this.#isDone = true;
      return "";
    }
    const value = parsedJson(data);
    if (value !== undefined) {
      this.#hasEvents = true;
      return written(this.#amender.take(value, data), { value, data });
    }
    // The package reports the error.
    if (jsonStart.test(data)) return isLast ? "" : `data: ${data.replaceAll("\n", "\ndata: ")}\n`;
    this.#words ??= data.trim() === "" ? undefined : data;
    return "";
  }

  #inPlaceOfEvents(): string {
    if (this.#hasEvents) return "";
    const text = this.#stray.join("\n").trim();
    const value = parsedJson(text);
    if (typeof value === "object" && value !== null)
      return written([value].flat().flatMap((each: unknown) => this.#amender.take(each, JSON.stringify(each))));
    // An HTML page contains no useful message.
    const words = this.#words ?? (text === "" || /^[<[{]/.test(text) ? undefined : text);
    return words === undefined ? "" : written([this.#amender.error(words.replaceAll(/\s+/g, " "))]);
  }
}

/** Writes the events; unchanged ones keep their bytes. */
function written(events: readonly unknown[], came?: { readonly value: unknown; readonly data: string }): string {
  const given = events.map((event) =>
    came !== undefined && event === came.value ? came.data : JSON.stringify(event),
  );
  return given.map((data) => `data: ${data.replaceAll("\n", "\ndata: ")}\n\n`).join("");
}
