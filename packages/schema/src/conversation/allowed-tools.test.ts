import { expect, test } from "bun:test";
import { allowedToolsSchema, includesAllTools, isToolAllowed } from "./allowed-tools.ts";

test("isToolAllowed matches exact names and prefixes, and allows everything for null", () => {
  const allowed = ["read_file", "files__*"];

  expect(isToolAllowed(allowed, "read_file")).toBe(true);
  expect(isToolAllowed(allowed, "files__list")).toBe(true);
  expect(isToolAllowed(allowed, "read_file_2")).toBe(false);
  expect(isToolAllowed(allowed, "write_file")).toBe(false);
  expect(isToolAllowed([], "read_file")).toBe(false);
  expect(isToolAllowed(["*"], "read_file")).toBe(true);
  expect(isToolAllowed(null, "read_file")).toBe(true);
});

test("allowedToolsSchema accepts valid tool names, and a star only at the end", () => {
  const isTaken = (name: string): boolean => allowedToolsSchema.safeParse([name]).success;

  expect(["a", "read_file", "files__*", "*"].map(isTaken)).toEqual([true, true, true, true]);
  expect(["", "a b", "*a", "a*b", "**", "a".repeat(65)].map(isTaken)).toEqual(Array(6).fill(false));
});

test("includesAllTools holds only if outer allows every name that inner allows", () => {
  const names = ["a", "ab", "abc", "b", "ba"];
  const lists = [null, [], ["a"], ["a*"], ["ab*", "b"], ["*"], ["ab", "abc"], ["b*", "a*"]];

  for (const outer of lists)
    for (const inner of lists) {
      const leak = names.filter((name) => isToolAllowed(inner, name) && !isToolAllowed(outer, name));
      if (includesAllTools(outer, inner)) expect(leak).toEqual([]);
    }
  expect(includesAllTools(["a*", "b"], ["ab*", "b", "a"])).toBe(true);
  expect(includesAllTools(["a*"], null)).toBe(false);
  expect(includesAllTools(["*"], ["a*"])).toBe(true);
  expect(includesAllTools(["ab"], ["ab*"])).toBe(false);
});
