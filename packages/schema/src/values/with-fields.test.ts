import { expect, test } from "bun:test";
import { withFields } from "./with-fields.ts";

test("withFields merges objects deeply, keeps key order, and does not mutate its arguments", () => {
  const under = { a: 1, b: { c: [1, 2], d: { e: 1 } }, f: null };
  const fields = { b: { c: [3], d: { g: 2 } }, f: { h: 1 }, i: 4 };
  const before = structuredClone({ under, fields });

  const merged = withFields(under, fields);

  expect(JSON.stringify(merged)).toBe('{"a":1,"b":{"c":[3],"d":{"e":1,"g":2}},"f":{"h":1},"i":4}');
  expect({ under, fields }).toEqual(before);
});

test('withFields keeps keys such as "constructor", and does not touch prototypes', () => {
  const fields = '{"constructor":{"prototype":{"polluted":true}},"toString":1,"__proto__":{"polluted":true}}';

  expect(JSON.stringify(withFields({}, JSON.parse(fields)))).toBe(fields);
  expect("polluted" in {}).toBe(false);
});
