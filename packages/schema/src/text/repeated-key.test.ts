import { expect, test } from "bun:test";
import fc from "fast-check";
import { repeatedKey } from "./repeated-key.ts";

const texts: readonly (readonly [json: string, key: string | undefined])[] = [
  ['{"command":"ls","command":"rm"}', "command"],
  ['{"command":"ls","comm\\u0061nd":"rm"}', "command"],
  ['{"a":{"b":1,"b":2}}', "b"],
  ['{"a":[{"b":1},{"c":{},"c":[]}]}', "c"],
  ['{ "" : 1 , "" : 2 }', ""],
  ['{"__proto__":1,"__proto__":2}', "__proto__"],
  ['{"a":1,"b":{"a":1},"c":[{"a":1},{"a":1}],"d":"a","e":"\\"a\\":"}', undefined],
  ['{"a":"{\\"b\\":1,\\"b\\":2}","b":["b","b"],"c":":"}', undefined],
  ["[1,2]", undefined],
  ["", undefined],
];
for (const [json, key] of texts)
  test(`repeatedKey finds ${key === undefined ? "none" : JSON.stringify(key)} in ${json}`, () => {
    expect(repeatedKey(json)).toBe(key);
  });

test("repeatedKey finds none in the output of JSON.stringify", () => {
  const property = fc.property(fc.jsonValue(), fc.nat({ max: 3 }), (value, space) => {
    expect(repeatedKey(JSON.stringify(value, null, space))).toBeUndefined();
  });
  fc.assert(property);
});
