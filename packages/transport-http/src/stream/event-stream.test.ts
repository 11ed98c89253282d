import { turnEventSchema, type TurnEvent } from "@incipit/schema";
import { FakeClock } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { EncodedEvents } from "./open-streams.ts";
import { eventStream } from "./event-stream.ts";

const encoded = new EncodedEvents();
const encode = (event: TurnEvent): Uint8Array => encoded.of(event);

const event = turnEventSchema.parse({
  type: "turn-start",
  seq: 7,
  turnId: "01a1fcd7-5c9a-7556-afda-76769002c75c",
  at: "2026-01-01T00:00:00.000Z",
  input: "line\nbreak",
});

async function* once(): AsyncGenerator<TurnEvent> {
  yield event;
}

test("eventStream writes number, type and JSON of each event, and closes at the end", async () => {
  const response = eventStream(once(), { encode, clock: new FakeClock(), abort: new AbortController() });

  expect(await response.text()).toBe(`: keep open\n\nid: 7\nevent: turn-start\ndata: ${JSON.stringify(event)}\n\n`);
  expect(response.headers.get("content-type")).toStartWith("text/event-stream");
});

test("eventStream sends a comment every 15 s while idle", async () => {
  const clock = new FakeClock();
  async function* silent(): AsyncGenerator<TurnEvent> {
    await new Promise(() => {});
    yield event;
  }
  const reader = eventStream(silent(), { encode, clock, abort: new AbortController() }).body?.getReader();
  await reader?.read();

  await clock.advance(15_000);

  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(": keep open\n\n");
});

test("eventStream stops following on a disconnect", async () => {
  const abort = new AbortController();
  const clock = new FakeClock();
  const response = eventStream(once(), { encode, clock, abort });

  await response.body?.cancel();

  expect(abort.signal.aborted).toBe(true);
  expect(clock.pending).toBe(0);
});

test("eventStream reads at most 16 KiB ahead of its client, and adds no comments then", async () => {
  const clock = new FakeClock();
  let fetchedBytes = 0;
  async function* many(): AsyncGenerator<TurnEvent> {
    for (let count = 0; count < 400; count += 1) {
      fetchedBytes += JSON.stringify(event).length;
      yield event;
    }
  }
  const response = eventStream(many(), { encode, clock, abort: new AbortController() });

  await new Promise((resolve) => setImmediate(resolve));
  await clock.advance(45_000);

  expect(fetchedBytes).toBeGreaterThan(10_000);
  expect(fetchedBytes).toBeLessThanOrEqual(16_384);
  const text = await response.text();
  expect(text.match(/^: keep open$/gm)).toHaveLength(1);
  expect(text.match(/^data: /gm)).toHaveLength(400);
});

test("[attack:bounds-large-event] eventStream sends a large event in chunks", async () => {
  const large = { ...event, input: "é".repeat(2_000_000) };
  async function* two(): AsyncGenerator<TurnEvent> {
    yield large;
    yield event;
  }
  const open = (): Response => eventStream(two(), { encode, clock: new FakeClock(), abort: new AbortController() });
  const pieces: Uint8Array[] = [];
  for await (const piece of open().body ?? []) pieces.push(piece);
  const control = await open().text();

  expect(pieces.length).toBeGreaterThan(200);
  expect(Math.max(...pieces.map(({ byteLength }) => byteLength))).toBeLessThanOrEqual(16_384);
  expect(Buffer.concat(pieces).toString()).toBe(control);
  expect(control).toEndWith(
    `\ndata: ${JSON.stringify(large)}\n\nid: 7\nevent: turn-start\ndata: ${JSON.stringify(event)}\n\n`,
  );
});

test("eventStream disconnects a client only after 60 s without reading pending data", async () => {
  const clock = new FakeClock();
  async function* endless(): AsyncGenerator<TurnEvent> {
    for (;;) yield event;
  }
  async function* silent(): AsyncGenerator<TurnEvent> {
    await new Promise(() => {});
    yield event;
  }
  const open = (
    events: AsyncIterable<TurnEvent>,
  ): { readonly response: Response; readonly abort: AbortController } => {
    const abort = new AbortController();
    return { response: eventStream(events, { encode, clock, abort }), abort };
  };
  const stuck = open(endless());
  const slow = open(endless());
  const idle = open(silent());
  const reader = slow.response.body?.getReader();
  const idleReader = idle.response.body?.getReader();

  for (let count = 0; count < 10; count += 1) {
    await clock.advance(count < 3 ? 14_000 : 30_000);
    for (let taken = 0; taken < 100; taken += 1) await reader?.read();
    await idleReader?.read();
    if (count < 3) expect(stuck.abort.signal.aborted).toBe(false);
  }

  expect([stuck, slow, idle].map(({ abort }) => abort.signal.aborted)).toEqual([true, false, false]);
  await reader?.cancel();
  await idleReader?.cancel();
  expect(clock.pending).toBe(0);
});

test("eventStream closes its source when the client leaves without reading", async () => {
  const ended = Promise.withResolvers<void>();
  async function* endless(): AsyncGenerator<TurnEvent> {
    try {
      for (;;) yield event;
    } finally {
      ended.resolve();
    }
  }
  const clock = new FakeClock();
  const response = eventStream(endless(), { encode, clock, abort: new AbortController() });
  await clock.advance(0);

  await response.body?.cancel();

  await ended.promise;
});

test("eventStream aborts when its source throws, and reports that once", async () => {
  const failures: unknown[] = [];
  async function* broken(): AsyncGenerator<TurnEvent> {
    yield event;
    throw new Error("the disk is gone");
  }
  const clock = new FakeClock();
  const onEnd = (failure: unknown): void => void failures.push(failure);
  const response = eventStream(broken(), { encode, clock, abort: new AbortController(), onEnd });

  const text = await response.text().catch((error: unknown) => error);

  expect(text).toBeInstanceOf(Error);
  expect(failures).toMatchObject([{ message: "the disk is gone" }]);
  expect(clock.pending).toBe(0);
});

test("eventStream keeps a client that reads one event per 15 s", async () => {
  const clock = new FakeClock();
  const large = { ...event, input: "x".repeat(20_000) };
  async function* endless(): AsyncGenerator<TurnEvent> {
    for (;;) yield large;
  }
  const abort = new AbortController();
  const reader = eventStream(endless(), { encode, clock, abort }).body?.getReader();
  for (let count = 0; count < 20; count += 1) {
    await reader?.read();
    await reader?.read();
    await clock.advance(15_000);
  }

  expect(abort.signal.aborted).toBe(false);
  await reader?.cancel();
});

test("eventStream closes immediately with its signal, also with unread or pending events", async () => {
  let endings = 0;
  async function* goesOn(): AsyncGenerator<TurnEvent> {
    yield event;
    await new Promise(() => {});
  }
  const abort = new AbortController();
  const response = eventStream(goesOn(), { encode, clock: new FakeClock(), abort, onEnd: () => (endings += 1) });

  abort.abort();

  expect(endings).toBe(1);
  expect(await response.text()).toStartWith(": keep open");
});
