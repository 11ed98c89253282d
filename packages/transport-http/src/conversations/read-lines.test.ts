import { FakeClock } from "@incipit/testkit";
import { expect, test } from "bun:test";
import * as z from "zod";
import { readLines, type ReadLinesOptions } from "./read-lines.ts";

const schema = z.object({ count: z.int() });

function request(chunks: Iterable<string | Uint8Array>, isOpen = false): Request {
  const pieces = [...chunks].values();
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = pieces.next();
      if (value !== undefined) controller.enqueue(typeof value === "string" ? Buffer.from(value) : value);
      if (done === true && !isOpen) controller.close();
    },
  });
  return new Request("http://host/", { method: "POST", body });
}

function options(given: Partial<ReadLinesOptions> = {}): ReadLinesOptions {
  return { clock: new FakeClock(), signal: new AbortController().signal, ...given };
}

async function read(chunks: Iterable<string | Uint8Array>): Promise<readonly unknown[]> {
  const values: unknown[] = [];
  try {
    for await (const value of readLines(request(chunks), schema, options())) values.push(value);
  } catch (error) {
    values.push(error);
  }
  return values;
}

test("readLines parses lines from chunks of any size, and skips blank ones", async () => {
  const text = '{"count":1}\n\n{"count":2}\r\n  \n{"count":3}';

  for (let size = 1; size <= text.length; size += 1) {
    const chunks = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
    expect(await read(chunks)).toEqual([{ count: 1 }, { count: 2 }, { count: 3 }]);
  }
  expect(await read([])).toEqual([]);
});

test("readLines reports the invalid line after the lines before it", async () => {
  const wrong = ["no JSON", '{"count":"x"}', "{", new Uint8Array([0xff])];

  for (const line of wrong) {
    const [first, failure] = await read(['{"count":1}\n', line]);
    expect(first).toEqual({ count: 1 });
    expect(failure).toMatchObject({ code: "INVALID_REQUEST", message: expect.stringMatching(/^Line 2/) });
  }
  expect(String((await read(['{"count":"x"}'])).at(0))).toContain("Line 1: count: ");
  expect(String((await read(["[]"])).at(0))).toContain("Line 1: the value: ");
});

test("readLines rejects an endless line", async () => {
  const chunk = new Uint8Array(1_048_576).fill(32);

  const [failure] = await read(Array.from({ length: 65 }, () => chunk));

  expect(failure).toMatchObject({ code: "BODY_TOO_LARGE" });
});

test("readLines times out after 30 s without data", async () => {
  const clock = new FakeClock();
  const lines = readLines(request(['{"count":1}\n'], true), schema, options({ clock }));
  await lines.next();

  const failure = lines.next().catch((error: unknown) => error);
  await clock.advance(30_000);

  expect(await failure).toMatchObject({ code: "TIMEOUT" });
});

test("readLines accepts lines of 64 MiB, and rejects longer ones", async () => {
  const blank = Buffer.alloc(16 * 1_048_576, " ");
  const value = Buffer.from('{"count":1}');
  const full = [value, blank.subarray(value.length), blank, blank, blank];
  const newline = Buffer.from("\n");

  expect(await read([...full, newline, ...full])).toEqual([{ count: 1 }, { count: 1 }]);
  expect(await read([...full, newline, ...full, Buffer.from(" ")])).toMatchObject([
    { count: 1 },
    { code: "BODY_TOO_LARGE" },
  ]);
});

test("readLines accepts 1 GiB in total, and rejects more", async () => {
  const value = Buffer.from('{"count":1}\n');
  const blank = Buffer.from(`${" ".repeat(1_048_575)}\n`);
  const full = [value, ...Array.from({ length: 1_023 }, () => blank), blank.subarray(2 * value.length), value];

  expect(full.reduce((sum, { length }) => sum + length, 0)).toBe(1_024 * 1_048_576);
  expect(await read([...full, Buffer.from(" ")])).toMatchObject([
    { count: 1 },
    { count: 1 },
    { code: "BODY_TOO_LARGE" },
  ]);
}, 300_000);

test("readLines distinguishes a truncated body from a complete one", async () => {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from('{"count":1}\n')),
    pull: (controller) => controller.error(new Error("The socket was closed")),
  });
  const lines = readLines(new Request("http://host/", { method: "POST", body }), schema, options());

  expect((await lines.next()).value).toEqual({ count: 1 });
  const failure = await lines.next().catch((error: unknown) => error);

  expect(failure).toMatchObject({ code: "INVALID_REQUEST", message: expect.stringContaining("cut off") });
});

test("[attack:archive-in-drops] readLines stops when its signal aborts, also while data arrives", async () => {
  for (const isAborted of [true, false]) {
    const abort = new AbortController();
    const lines = readLines(request(['{"count":1}\n'], true), schema, options({ signal: abort.signal }));
    await lines.next();
    const failure = lines.next().catch((error: unknown) => error);
    if (isAborted) abort.abort();
    const waits = new Promise((resolve) => setImmediate(() => resolve("waits")));

    expect(await Promise.race([failure, waits])).toEqual(
      isAborted ? expect.objectContaining({ code: "TIMEOUT" }) : "waits",
    );
  }
});

test("[attack:archive-blank-lines] readLines yields to other tasks between lines, also blank ones", async () => {
  for (const [lines, isShared] of [
    [100_000, true],
    [100, false],
  ] as const) {
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await read(["\n".repeat(lines)]);
    isOver = true;

    expect(turns > 50).toBe(isShared);
  }
});

test("[attack:archive-wide-record] readLines reports a line with too many values", async () => {
  const wide = (count: number): string => `{"count":1,"of":[${Array.from({ length: count }, () => '""').join()}]}`;

  const [failure] = await read([wide(1_000_000)]);

  expect(failure).toMatchObject({
    code: "INVALID_REQUEST",
    message: "Line 1 is made of more than 200000 values",
  });
  expect(await read([wide(100_000)])).toEqual([{ count: 1 }]);
});
