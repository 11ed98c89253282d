import { expect, test } from "bun:test";
import fc from "fast-check";
import { toLf } from "./line-ends.ts";
import { replaceOnce } from "./replace-once.ts";

test.each([
  ["alpha\r\nbeta\r\ngamma\n", "alpha\nbeta", "ALPHA\nBETA", "ALPHA\r\nBETA\r\ngamma\n"],
  ["alpha\r\nbeta\r\ngamma\n", "beta\ngamma\n", "beta\nnew\ngamma\n", "alpha\r\nbeta\r\nnew\r\ngamma\n"],
  ["a\nb\nc", "a\r\nb", "A\r\nB", "A\nB\nc"],
  ["a\rb\rc", "a\nb", "x\ny\nz", "x\ry\rz\rc"],
  ["one\r\ntwo\r\n", "two", "two\nthree", "one\r\ntwo\r\nthree\r\n"],
  ["one", "one", "one\ntwo", "one\ntwo"],
  ["one", "one", "one\r\ntwo", "one\r\ntwo"],
  ["x\r\ny\nx\ny\n", "x\r\ny\n", "z\n", "z\nx\ny\n"],
  ["a\r\nb\n", "a\r\nb", "a\nb", "a\nb\n"],
  ["<a\rb\n>", "<a\nb\n>", "(\n\n)", "(\r\r)"],
  ["a\n", "a", "b\n", "b\n\n"],
  ["\r\nfoo\r\n", "\nfoo", "\nbar", "\r\nbar\r\n"],
])("replaceOnce in %j of %j by %j returns %j", (text, oldText, newText, expected) => {
  expect(replaceOnce(text, { oldText, newText })).toEqual({ kind: "replaced", text: expected });
});

test.each([
  ["a\nb", "x", "new", "absent"],
  ["x\nx\r\n", "x", "new", "several"],
  ["aaa", "aa", "new", "several"],
  ["a\r\nb\na\nb\na\r\nb", "a\r\nb", "new", "several"],
  ["a\nb", "a\r\nb", "a\nb", "absent"],
] as const)("replaceOnce in %j of %j by %j is %s", (text, oldText, newText, kind) => {
  expect(replaceOnce(text, { oldText, newText })).toEqual({ kind });
});

test("replaceOnce preserves the surrounding text with any line endings", () => {
  const line = fc.string({ unit: fc.constantFrom("a", "b", "é", "🎉"), maxLength: 4 });
  const lines = fc.array(fc.tuple(line, fc.constantFrom("\n", "\r\n", "\r")), { maxLength: 6 });
  const textOf = (parts: readonly (readonly [string, string])[]): string => parts.flat().join("");
  const property = fc.property(
    lines,
    lines,
    lines,
    fc.array(line, { maxLength: 4 }),
    (before, inside, behind, to) => {
      const [start, old, end] = [textOf(before), `<${textOf(inside)}>`, textOf(behind)];

      const replaced = replaceOnce(start + old + end, { oldText: toLf(old), newText: `(${to.join("\n")})` });

      if (replaced.kind !== "replaced") throw new Error(replaced.kind);
      expect(replaced.text).toStartWith(`${start}(`);
      expect(replaced.text).toEndWith(`)${end}`);
      expect(toLf(replaced.text.slice(start.length, replaced.text.length - end.length))).toBe(`(${to.join("\n")})`);
    },
  );
  fc.assert(property);
});
