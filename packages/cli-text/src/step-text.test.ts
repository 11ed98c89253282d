import { expect, test } from "bun:test";
import { wrapped } from "./step-text.ts";

test("wrapped fills lines up to the width and keeps longer words whole", () => {
  const options = { indent: "  ", width: 8 };

  expect(wrapped("ab cde fg", options)).toEqual(["  ab cde", "  fg"]);
  expect(wrapped("abc cde", options)).toEqual(["  abc", "  cde"]);
  expect(wrapped("much-longer-than-it a", options)).toEqual(["  much-longer-than-it", "  a"]);
  expect(wrapped("", options)).toEqual(["  "]);
});
