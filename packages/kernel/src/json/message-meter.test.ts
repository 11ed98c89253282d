import { expect, test } from "bun:test";
import fc from "fast-check";
import { messageMeter, type Arrival } from "./message-meter.ts";

function arrivals(text: string, lengths: readonly number[], isEventStream: boolean): readonly Arrival[] {
  const bytes = Buffer.from(text);
  const meter = messageMeter({ isEventStream });
  const all: Arrival[] = [];
  for (let [at, count] = [0, 0]; at < bytes.length; count += 1) {
    const end = at + (lengths[count % lengths.length] ?? 1);
    all.push(meter(bytes.subarray(at, end)));
    at = end;
  }
  return all;
}

const event = fc.array(fc.integer()).map((list) => ({
  text: `data: ${JSON.stringify(list)}\n\n`,
  values: 1 + Math.max(1, list.length),
}));
const chunks = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });

test("messageMeter reports the largest event, the most values and each end at any chunk boundary", () => {
  fc.assert(
    fc.property(fc.array(event, { minLength: 1 }), chunks, (events, lengths) => {
      const all = arrivals(events.map(({ text }) => text).join(""), lengths, true);

      expect(Math.max(...all.map(({ sizeBytes }) => sizeBytes))).toBe(
        Math.max(...events.map(({ text }) => text.length)),
      );
      expect(Math.max(...all.map(({ values }) => values))).toBe(Math.max(...events.map(({ values }) => values)));
      expect(all.reduce((sum, { messages }) => sum + messages, 0)).toBe(events.length);
    }),
  );
});

test("messageMeter treats a plain body as one growing message", () => {
  fc.assert(
    fc.property(event, chunks, ({ text, values }, lengths) => {
      const all = arrivals(text, lengths, false);

      expect(all.at(-1)).toEqual({ sizeBytes: text.length, values, messages: 0 });
      expect(all.map(({ sizeBytes }) => sizeBytes)).toEqual(
        all.map(({ sizeBytes }) => sizeBytes).toSorted((a, b) => a - b),
      );
    }),
  );
});
