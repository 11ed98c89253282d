import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseEntityTags } from "./entity-tags.ts";

test("parseEntityTags accepts the syntax of RFC 9110", () => {
  expect(parseEntityTags("If-Match", " * ")).toBe("*");
  expect(parseEntityTags("If-Match", '"a"')).toEqual(['"a"']);
  expect(parseEntityTags("If-Match", '"a", W/"b" ,,\t"c,d",""')).toEqual(['"a"', 'W/"b"', '"c,d"', '""']);
});

test("parseEntityTags rejects other values with the expected syntax", () => {
  for (const value of [
    "",
    " ",
    ",",
    "a",
    "3",
    '"a',
    'a"',
    '"a" "b"',
    '*, "a"',
    '"a", *',
    'w/"a"',
    '"a b"',
    "'a'",
    '"a";',
  ]) {
    expect(() => parseEntityTags("If-Match", value)).toThrow(/If-Match is not valid.*ETag/);
  }
});

test("parseEntityTags quotes 80 characters of an invalid value", () => {
  const refusalOf = (value: string): unknown => {
    try {
      return parseEntityTags("If-Match", value);
    } catch (error) {
      return error;
    }
  };

  for (const [length, shown] of [
    [80, `"${"a".repeat(80)}"`],
    [81, `"${"a".repeat(80)}…"`],
  ] as const)
    expect(refusalOf("a".repeat(length))).toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringContaining(`: ${shown} is neither`),
    });
});

test("parseEntityTags round-trips any list of tags", () => {
  const tag = fc.stringMatching(/^(W\/)?"[\x21\x23-\x7e]{0,8}"$/);
  fc.assert(
    fc.property(fc.array(tag, { minLength: 1 }), fc.constantFrom(",", ", ", " ,\t", ",,"), (tags, comma) => {
      expect(parseEntityTags("If-Match", tags.join(comma))).toEqual(tags);
    }),
  );
});
