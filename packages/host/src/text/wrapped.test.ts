import { expect, test } from "bun:test";
import { clipped } from "./clipped.ts";
import { wrapped } from "./wrapped.ts";

test("wrapped fills lines up to the width and keeps longer words whole", () => {
  const options = { indent: "  ", width: 8 };

  expect(wrapped("ab cde fg", options)).toEqual(["  ab cde", "  fg"]);
  expect(wrapped("abc cde", options)).toEqual(["  abc", "  cde"]);
  expect(wrapped("much-longer-than-it a", options)).toEqual(["  much-longer-than-it", "  a"]);
  expect(wrapped("", options)).toEqual(["  "]);
});

test("clipped returns short text unchanged and marks clipped text", () => {
  expect(clipped("four", 4)).toBe("four");
  expect(clipped("fives", 4)).toBe("fiv…");
  expect(clipped("🦀🦀🦀🦀", 4)).toBe("🦀🦀🦀🦀");
});
