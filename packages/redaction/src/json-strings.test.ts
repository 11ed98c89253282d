import { expect, test } from "bun:test";
import fc from "fast-check";
import { jsonStrings } from "./json-strings.ts";

test("jsonStrings() decodes each string and maps its offsets", () => {
  const values = fc.array(
    fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom('"', "\\", "\n\t\b\f\r", '{"a":"\\n"}', "\u0001x")),
  );
  fc.assert(
    fc.property(values, (expected) => {
      const text = JSON.stringify(expected);

      const found = [...jsonStrings(text, 0)];

      expect(found.map(({ value }) => value)).toEqual(expected);
      for (const { value, placeOf } of found)
        for (let index = 0; index <= value.length; index += 1) {
          const rest = JSON.parse(`"${text.slice(placeOf(index), placeOf(value.length))}"`);
          expect(rest).toBe(value.slice(index));
        }
    }),
  );
});

test("jsonStrings() starts with the string that ends after an offset", () => {
  const text = '["one","two","three"]';
  const quote = text.indexOf('",', text.indexOf("two"));

  expect([...jsonStrings(text, quote - 1)].map(({ value }) => value)).toEqual(["two", "three"]);
  expect([...jsonStrings(text, quote)].map(({ value }) => value)).toEqual(["three"]);
});

test("jsonStrings() returns quoted parts of invalid JSON, and never throws", () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(30), (text, from) => {
      for (const { value, placeOf } of jsonStrings(text, from)) {
        expect(placeOf(value.length)).toBeLessThanOrEqual(text.length);
        expect(placeOf(value.length)).toBeGreaterThanOrEqual(placeOf(0));
      }
    }),
  );
  expect([...jsonStrings('a "b\\', 0)].map(({ value }) => value)).toEqual(["b"]);
});
