import fc from "fast-check";

/** Concatenated fragments, which often form tags, or any text. */
export function anyTemplate(fragments: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof(
    fc.array(fragments, { maxLength: 40 }).map((parts) => parts.join("")),
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 }).map((codes) => String.fromCharCode(...codes)),
  );
}
