import { expect, test } from "bun:test";
import fc from "fast-check";
import { jsonPlace } from "./json-place.ts";

const text = `{
  "name": "a \\"b\\" }",
  "incipit": {
    "id": "acme.x", "net": ["a:1",
      "b"],
    "deep": { "id": true }
  }
}`;

test.each([
  [["incipit"], "3:3"],
  [["incipit", "id"], "4:5"],
  [["incipit", "net", 1], "5:7"],
  [["incipit", "deep", "id"], "6:15"],
  [["incipit", "deep", "missing"], "6:5"],
  [["missing"], "1:1"],
  [[], "1:1"],
] as const)("jsonPlace finds %j at %s", (path, place) => {
  expect(jsonPlace(text, path)).toBe(place);
});

test("jsonPlace returns the last of two equal keys", () => {
  expect(jsonPlace('{"a": {"b": 1},\n "a": {"b": 2}}', ["a", "b"])).toBe("2:8");
});

test("jsonPlace finds each key of any JSON", () => {
  const key = fc.string({ minLength: 1 }).filter((name) => name !== "__proto__");
  fc.assert(
    fc.property(fc.dictionary(key, fc.jsonValue()), (value) => {
      const written = JSON.stringify(value, null, 2);
      for (const name of Object.keys(value)) {
        const [line = "", column = ""] = jsonPlace(written, [name]).split(":");
        expect(written.split("\n")[Number(line) - 1]?.slice(Number(column) - 1)).toStartWith(JSON.stringify(name));
      }
    }),
  );
});
