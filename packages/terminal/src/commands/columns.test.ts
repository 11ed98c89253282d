import { expect, test } from "bun:test";
import { clipped } from "./columns.ts";

test("clipped returns short text unchanged and marks clipped text", () => {
  expect(clipped("four", 4)).toBe("four");
  expect(clipped("fives", 4)).toBe("fiv…");
  expect(clipped("🦀🦀🦀🦀", 4)).toBe("🦀🦀🦀🦀");
});
