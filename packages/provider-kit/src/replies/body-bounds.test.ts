import { maxJsonValues, messageMeter } from "@incipit/kernel";
import { expect, test } from "bun:test";
import fc from "fast-check";
import { BodyBounds } from "./body-bounds.ts";

function event({
  values,
  isText,
  lines,
}: {
  readonly values: number;
  readonly isText: boolean;
  readonly lines: number;
}): string {
  const list = "[".repeat(isText ? values * 2 : values - 1);
  const said = isText ? `"${list}"` : list;
  const size = Math.ceil(said.length / lines);
  const pieces = isText ? [said] : Array.from({ length: lines }, (_, at) => said.slice(at * size, (at + 1) * size));
  return `data: ${pieces.join("\ndata: ")}\n\n`;
}

test("[attack:vendor-wide-event] BodyBounds counts values exactly for any chunk size", () => {
  const near = fc.integer({ min: -3, max: 3 }).map((more) => maxJsonValues + more);
  const reply = fc.array(
    fc.record({
      values: fc.oneof(fc.integer({ min: 1, max: 50 }), near),
      isText: fc.boolean(),
      lines: fc.integer({ min: 1, max: 3 }),
    }),
    { minLength: 1, maxLength: 4 },
  );
  const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 50_000, max: 500_000 })), {
    minLength: 1,
    maxLength: 3,
  });
  let refused = 0;
  const property = fc.property(reply, sizes, fc.boolean(), (events, pieces, isEventStream) => {
    const bytes = new TextEncoder().encode(events.map(event).join(""));
    const bounds = new BodyBounds({ isEventStream });
    const measure = messageMeter({ isEventStream });
    const size = Math.max(...pieces);
    for (let at = 0; at < bytes.length; at += size) {
      for (const chunk of [bytes.slice(at, at + 1), bytes.slice(at + 1, at + size)]) {
        const isTaken = bounds.take(chunk) !== undefined;
        expect(isTaken).toBe(measure(chunk).values <= maxJsonValues);
        if (isTaken) continue;
        refused += 1;
        return;
      }
    }
  });
  fc.assert(property, { numRuns: 60 });
  expect(refused).toBeGreaterThan(0); // Control.
});
