import type { TurnEvent } from "@incipit/schema";
import { eventLength } from "./event-length.ts";

/** Most events of a page, and about the most of them in UTF-16 units: what is large comes in pages of fewer events. */
const maxEvents = 64;
const maxLength = 262_144;
/** Pages that are kept whether or not anybody is at them. */
const storedPages = 2;

type Page = readonly TurnEvent[];

export interface EventPagesOptions {
  /** Stored events after a number, in their order, no more than `limit`. */
  readonly read: (afterSeq: number, limit: number) => Promise<Page>;
}

/**
 * Pages of a log's stored events, each read once for all who follow at about the same place; they get the very same events,
 * so that whoever writes them out does it once, too.
 *
 * Nobody holds a page while they wait: a follower that does not go on costs nothing here, however far behind it is. A page that is
 * gone is read again.
 */
export class EventPages {
  readonly #options: EventPagesOptions;
  #kept: Page[] = [];
  /** Those that the runtime has not taken back yet. */
  #known: WeakRef<Page>[] = [];
  readonly #reading = new Map<number, Promise<Page>>();
  #limit = maxEvents;

  constructor(options: EventPagesOptions) {
    this.#options = options;
  }

  /** The event that comes after a number, if a page with it is in memory. */
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

  /** The stored event that comes after a number; `undefined`: there is none. */
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

  /** Nobody is there for whom they would be kept. */
  forget(): void {
    this.#kept = [];
    this.#known = [];
  }

  async #read(cursor: number): Promise<Page> {
    const page = await this.#options.read(cursor, this.#limit);
    let length = 0;
    for (const event of page) length += eventLength(event);
    this.#limit = Math.max(1, Math.min(maxEvents, Math.floor((page.length * maxLength) / Math.max(length, 1))));
    if (page.length === 0) return page;
    this.#kept = [page, ...this.#kept.slice(0, storedPages - 1)];
    this.#known = [...this.#known.filter((reference) => reference.deref() !== undefined), new WeakRef(page)];
    return page;
  }
}

/** The first event of a page behind a number that lies in it, or right before it. */
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
