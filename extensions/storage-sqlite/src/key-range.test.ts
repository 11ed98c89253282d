import { expect, test } from "bun:test";
import fc from "fast-check";
import { endOfPrefix } from "./key-range.ts";

const character = fc.oneof(
  fc.constantFrom("\u0001", "a", "b", "c", "\u{7F}", "\u{80}", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{10000}"),
  fc.constantFrom("\u{10FFFE}", "\u{10FFFF}"),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
);
const text = fc.array(character, { maxLength: 4 }).map((characters) => characters.join(""));

function isBefore(first: string, second: string): boolean {
  return Buffer.compare(Buffer.from(first), Buffer.from(second)) < 0;
}

test("endOfPrefix separates the keys with a prefix from all later ones", () => {
  fc.assert(
    fc.property(text, text, text, (prefix, rest, other) => {
      const end = endOfPrefix(prefix);
      const isInRange = (key: string): boolean =>
        !isBefore(key, prefix) && (end === undefined || isBefore(key, end));

      expect(isInRange(prefix + rest)).toBe(true);
      expect(isInRange(other)).toBe(other.startsWith(prefix));
    }),
    { numRuns: 2_000 },
  );
});
