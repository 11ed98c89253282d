import { expect, test } from "bun:test";
import fc from "fast-check";
import { cutToBytes } from "./cut-to-bytes.ts";

test("cutToBytes returns the longest fitting prefix of whole characters", () => {
  const property = fc.property(fc.string({ unit: "grapheme", maxLength: 30 }), fc.nat(60), (text, maxBytes) => {
    const characters = Array.from(text);
    const sizes = characters.map((_, index) => Buffer.byteLength(characters.slice(0, index + 1).join("")));
    const fitting = sizes.filter((size) => size <= maxBytes).length;

    expect(cutToBytes(text, maxBytes)).toBe(characters.slice(0, fitting).join(""));
  });
  fc.assert(property);
});
