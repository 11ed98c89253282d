import type { TurnEvent } from "@incipit/schema";

/** Per page: its events, and their approximate length in UTF-16 units. */
const maxEvents = 64;
const maxLength = 262_144;
const storedPages = 2;

type Page = readonly TurnEvent[];

type ReadPage = (afterSeq: number, limit: number) => Promise<Page>;

/**
 * Followers at similar positions share one read and the same objects. Waiting followers hold no page, so a stalled
 * one costs no memory.
 */
export class EventPages {
  readonly #readPage: ReadPage;
  #kept: Page[] = [];
  #known: WeakRef<Page>[] = [];
  readonly #reading = new Map<number, Promise<Page>>();
  #limit = maxEvents;

  constructor(read: ReadPage) {
    this.#readPage = read;
  }

  known(cursor: number): TurnEvent | undefined {
    for (const page of this.#kept) {
      const event = eventAfter(page, cursor);
      if (event !== undefined) return event;
    }
    for (const reference of this.#known) {
      const page = reference.deref();
      const event = page === undefined ? undefined : eventAfter(page, cursor);
      if (event !== undefined) return event;
    }
    return undefined;
  }

  async next(cursor: number): Promise<TurnEvent | undefined> {
    const known = this.known(cursor);
    if (known !== undefined) return known;
    for (const [afterSeq, reading] of this.#reading) {
      if (afterSeq > cursor || cursor > afterSeq + maxEvents) continue;
      const event = eventAfter(await reading, cursor);
      if (event !== undefined) return event;
    }
    const reading = this.#read(cursor).finally(() => this.#reading.delete(cursor));
    this.#reading.set(cursor, reading);
    return (await reading)[0];
  }

  forget(): void {
    this.#kept = [];
    this.#known = [];
  }

  async #read(cursor: number): Promise<Page> {
    const page = await this.#readPage(cursor, this.#limit);
    let length = 0;
    for (const event of page) length += eventLength(event);
    this.#limit = Math.max(1, Math.min(maxEvents, Math.floor((page.length * maxLength) / Math.max(length, 1))));
    if (page.length === 0) return page;
    this.#kept = [page, ...this.#kept.slice(0, storedPages - 1)];
    this.#known = [...this.#known.filter((reference) => reference.deref() !== undefined), new WeakRef(page)];
    return page;
  }
}

function eventAfter(page: Page, cursor: number): TurnEvent | undefined {
  const [first] = page;
  if (first === undefined || cursor + 1 < firstSeq(first)) return undefined;
  let [low, high] = [0, page.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((page[middle]?.seq ?? Infinity) > cursor) high = middle;
    else low = middle + 1;
  }
  return page[low];
}

function firstSeq(event: TurnEvent): number {
  return "fromSeq" in event ? (event.fromSeq ?? event.seq) : event.seq;
}

export function eventLength(event: TurnEvent): number {
  if ("text" in event) return event.text.length;
  return "input" in event ? event.input.length + ("output" in event ? (event.output?.length ?? 0) : 0) : 0;
}
