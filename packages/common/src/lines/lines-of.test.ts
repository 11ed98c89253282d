import { expect, test } from "bun:test";
import fc from "fast-check";
import { linesOf, type StreamLine } from "./lines-of.ts";

async function* chunksOf(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const size of [...sizes, bytes.length]) {
    yield bytes.slice(from, from + size);
    from += size;
  }
}

async function collect(lines: AsyncIterable<StreamLine>): Promise<readonly StreamLine[]> {
  const all: StreamLine[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

test("linesOf yields the same lines at any byte split, including multi-byte characters", async () => {
  const line = fc.string({ unit: "grapheme" }).map((text) => text.replaceAll(/[\r\n]/g, ""));
  const property = fc.asyncProperty(fc.array(line), fc.array(fc.nat(9)), async (lines, sizes) => {
    const bytes = new TextEncoder().encode(lines.map((text) => `${text}\n`).join(""));
    const texts = lines.map((text) => text.trim()).filter((text) => text !== "");
    const wanted = texts.map((text) => ({ text, hasEnd: true }));
    expect(await collect(linesOf(chunksOf(bytes, sizes), 1_000_000))).toEqual(wanted);
  });
  await fc.assert(property);
});

test("linesOf marks an unterminated last line and drops blank lines and CR", async () => {
  const bytes = new TextEncoder().encode("a\r\n\r\n \nb");

  expect(await collect(linesOf(chunksOf(bytes, [2]), 10))).toEqual([
    { text: "a", hasEnd: true },
    { text: "b", hasEnd: false },
  ]);
});

test("linesOf stops at an overlong line and releases the stream", async () => {
  let given = 0;
  let isLeft = false;
  const endless = async function* (): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        given += 1;
        yield new Uint8Array(10).fill(120);
      }
    } finally {
      isLeft = true;
    }
  };

  const failure = await collect(linesOf(endless(), 100)).catch((error: unknown) => error);

  expect(failure).toMatchObject({ name: "LineTooLong" });
  expect([given, isLeft]).toEqual([11, true]);
});
