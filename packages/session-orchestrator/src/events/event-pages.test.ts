import { turnEventSchema, type TurnEvent } from "@incipit/schema";
import { expect, test } from "bun:test";
import { EventPages } from "./event-pages.ts";

const eventCount = 1_000;

function eventOf(seq: number, text: string, fromSeq?: number): TurnEvent {
  const id = "01a1fcd7-5c9a-7556-afda-76769002c75c";
  const at = "2026-01-01T00:00:00.000Z";
  const merged = fromSeq === undefined ? {} : { fromSeq };
  return turnEventSchema.parse({
    type: "text-delta",
    seq,
    turnId: id,
    stepId: id,
    partId: "0",
    text,
    at,
    ...merged,
  });
}

function pagesOf(
  text = "x",
  held: (readonly TurnEvent[])[] = [],
): {
  readonly pages: EventPages;
  readonly reads: { afterSeq: number; limit: number }[];
} {
  const reads: { afterSeq: number; limit: number }[] = [];
  const read = async (afterSeq: number, limit: number): Promise<readonly TurnEvent[]> => {
    reads.push({ afterSeq, limit });
    const length = Math.min(limit, eventCount - afterSeq);
    const page = Array.from({ length }, (_, index) => eventOf(afterSeq + index + 1, text));
    held.push(page);
    return page;
  };
  return { pages: new EventPages(read), reads };
}

async function readAll(pages: EventPages, from = 0): Promise<readonly TurnEvent[]> {
  const events: TurnEvent[] = [];
  for (let cursor = from; ;) {
    const event = await pages.next(cursor);
    if (event === undefined) return events;
    cursor = event.seq;
    events.push(event);
  }
}

test("[attack:bounds-followers-share] EventPages reads a page once for followers at similar positions", async () => {
  const { pages, reads } = pagesOf();
  const alone = pagesOf();
  for (let follower = 0; follower < 20; follower += 1) {
    await readAll(alone.pages);
    alone.pages.forget();
  }

  const all = await Promise.all(Array.from({ length: 20 }, (_, index) => readAll(pages, index)));

  const [first = []] = all;
  expect(first.map(({ seq }) => seq)).toEqual(Array.from({ length: eventCount }, (_, index) => index + 1));
  for (const [index, events] of all.entries()) {
    expect(events).toHaveLength(eventCount - index);
    expect(events.slice(-700).every((event, at) => event === first.slice(-700)[at])).toBe(true);
  }
  expect(reads.length).toBeLessThan(60);
  expect(alone.reads.length).toBeGreaterThan(300);
});

test("EventPages adapts the number of events per read to their size", async () => {
  const { pages, reads } = pagesOf("x".repeat(100_000));

  await pages.next(0);
  await pages.next(64);
  await pages.next(66);

  expect(reads.map(({ limit }) => limit)).toEqual([64, 2, 2]);
});

test("EventPages returns the next event, also within a merged delta or at the end", async () => {
  const stored = [eventOf(1, "a"), eventOf(40, "b", 2), eventOf(41, "c")];
  const pages = new EventPages(async (afterSeq) => stored.filter(({ seq }) => seq > afterSeq));
  const seqAfter = async (cursor: number): Promise<number | undefined> => (await pages.next(cursor))?.seq;

  expect(pages.known(0)).toBeUndefined();
  expect(await seqAfter(0)).toBe(1);
  expect(pages.known(20)?.seq).toBe(40);
  expect([await seqAfter(1), await seqAfter(39), await seqAfter(40), await seqAfter(41)]).toEqual([
    40,
    40,
    41,
    undefined,
  ]);
});

test("EventPages forwards a read error and retries the next time", async () => {
  let isBroken = true;
  const read = async (): Promise<readonly TurnEvent[]> => {
    if (isBroken) throw new Error("the disk is gone");
    return [eventOf(1, "a")];
  };
  const pages = new EventPages(read);

  const failures = await Promise.allSettled([pages.next(0), pages.next(0)]);
  isBroken = false;

  expect(failures).toMatchObject([{ status: "rejected" }, { status: "rejected" }]);
  expect((await pages.next(0))?.seq).toBe(1);
});

test("EventPages reuses every page still referenced elsewhere", async () => {
  const held: (readonly TurnEvent[])[] = [];
  const { pages, reads } = pagesOf("x", held);
  for (const cursor of [0, 200, 400, 600]) await pages.next(cursor);

  expect([0, 200, 400, 600].map((cursor) => pages.known(cursor)?.seq)).toEqual([1, 201, 401, 601]);
  expect(reads).toHaveLength(4);
  expect(held).toHaveLength(4);
});
