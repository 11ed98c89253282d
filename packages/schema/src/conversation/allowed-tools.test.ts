import { expect, test } from "bun:test";
import { allowedToolsSchema, isToolAllowed } from "./allowed-tools.ts";

test("isToolAllowed takes a name as it is, how names begin, and everything where nothing was said", () => {
  const allowed = ["read_file", "files__*"];

  expect(isToolAllowed(allowed, "read_file")).toBe(true);
  expect(isToolAllowed(allowed, "files__list")).toBe(true);
  expect(isToolAllowed(allowed, "read_file_2")).toBe(false);
  expect(isToolAllowed(allowed, "write_file")).toBe(false);
  expect(isToolAllowed([], "read_file")).toBe(false);
  expect(isToolAllowed(["*"], "read_file")).toBe(true);
  expect(isToolAllowed(null, "read_file")).toBe(true);
});

test("allowedToolsSchema takes names that tools can have, and a star at their end alone", () => {
  const isTaken = (name: string): boolean => allowedToolsSchema.safeParse([name]).success;

  expect(["a", "read_file", "files__*", "*"].map(isTaken)).toEqual([true, true, true, true]);
  expect(["", "a b", "*a", "a*b", "**", "a".repeat(65)].map(isTaken)).toEqual(Array(6).fill(false));
});
