import { expect, test } from "bun:test";
import { oneLine } from "./one-line.ts";

test("oneLine joins lines, and shortens with an ellipsis but no half character", () => {
  expect(oneLine(" a\n\tb ")).toBe("a b");
  expect(oneLine("abc", 3)).toBe("abc");
  expect(oneLine("ab😀", 3)).toBe("ab\u{fffd}…");
});
