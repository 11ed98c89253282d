import { expect, test } from "bun:test";
import fc from "fast-check";
import { LineFeeds } from "./line-feeds.ts";

test("LineFeeds converts CRLF and CR to LF at any chunk boundary", () => {
  const text = fc.string({ unit: fc.constantFrom("\r", "\n", "a", "é"), maxLength: 30 });
  const property = fc.property(text, fc.array(fc.nat({ max: 4 }), { minLength: 1 }), (whole, sizes) => {
    const bytes = Buffer.from(whole);
    const lines = new LineFeeds();
    const taken: Uint8Array[] = [];
    for (let at = 0, index = 0; at < bytes.length; index += 1) {
      const size = 1 + (sizes[index % sizes.length] ?? 0);
      taken.push(lines.take(bytes.subarray(at, at + size)));
      at += size;
    }
    expect(Buffer.concat(taken).toString()).toBe(whole.replaceAll(/\r\n?/g, "\n"));
  });
  fc.assert(property);
});

test("LineFeeds returns a chunk without CR unchanged", () => {
  const chunk = Buffer.from("data: 1\n\n");

  expect(new LineFeeds().take(chunk)).toBe(chunk);
});
