import { expect, test } from "bun:test";
import fc from "fast-check";
import { jsonPlace } from "./json-place.ts";

test("jsonPlace says where a text stops being JSON", () => {
  const places = ['{ "a": 1,\n  b: 2 }', '{"a" 1}', "[1, 2", '{"a":1}}', '{"a":1,}', "", '"\n"', "[1 2]", "{]"].map(
    jsonPlace,
  );

  expect(places).toEqual([
    "line 2, column 3",
    "line 1, column 6",
    "line 1, column 6",
    "line 1, column 8",
    "line 1, column 8",
    "line 1, column 1",
    "line 1, column 1",
    "line 1, column 4",
    "line 1, column 2",
  ]);
});

test("jsonPlace finds a place exactly where the parser finds a mistake", () => {
  const isJson = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  const cut = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom("", ",", "}", "]", '"', ":", "1", "null", "\\"))
    .map(([text, at, more]) => text.slice(0, at % (text.length + 1)) + more + text.slice(at % (text.length + 1)));

  fc.assert(fc.property(fc.oneof(fc.json(), cut), (text) => (jsonPlace(text) === undefined) === isJson(text)));
});
