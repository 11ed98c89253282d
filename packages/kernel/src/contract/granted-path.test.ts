import { expect, test } from "bun:test";
import { isPathWithin } from "./granted-path.ts";

test("isPathWithin splits POSIX and drive paths, with backslashes on drives only", () => {
  expect(isPathWithin("/data/notes", "/data")).toBe(true);
  expect(isPathWithin("/database", "/data")).toBe(false);
  expect(isPathWithin("/data\\notes", "/data")).toBe(false);
  expect(isPathWithin("C:\\data\\notes", "C:/data")).toBe(true);
  expect(isPathWithin("C:\\database", "C:\\data")).toBe(false);
  expect(isPathWithin("D:\\data", "C:\\data")).toBe(false);
  expect(isPathWithin("C:\\data\\..\\other", "C:\\data")).toBe(false);
  expect(isPathWithin("$cwd/out", "$cwd")).toBe(true);
});
